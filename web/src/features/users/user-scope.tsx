import { Check, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import tiles from '../../ui/tiles.module.css';
import { toast } from '../../ui/toast.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { PersonPage } from './person-page.tsx';
import { CanAndCannot, WhenYouSave, WholeSchool } from './scope-effect.tsx';
import { changeScope, type User } from './user-queries.ts';
import { userScopeMessages } from './user-scope-messages.ts';
import styles from './users.module.css';

const scopes = ['all', 'groups'] as const;

/** What another administrator may work with: the whole school, or some classes. */
export function UserScope({ user }: { user: User }) {
  const t = useTexts(userScopeMessages);
  const common = useTexts(commonMessages);
  const { data: groups = [] } = useGroups();
  const before = { scope: user.admin_scope ?? 'all', ids: user.admin_group_ids ?? [] };
  const [scope, setScope] = useState(before.scope);
  const [ids, setIds] = useState<readonly number[]>(before.ids);
  const { run, isRunning, error } = useAction(async () => {
    await changeScope(user, scope, scope === 'all' ? [] : ids);
    toast({ text: common('saved') });
  });
  const name = user.display_name;
  const isChanged =
    scope !== before.scope ||
    (scope === 'groups' && (ids.length !== before.ids.length || ids.some((id) => !before.ids.includes(id))));
  const members = groups.reduce((sum, { id, members_count }) => sum + (ids.includes(id) ? members_count : 0), 0);
  const cancel = () => {
    setScope(before.scope);
    setIds(before.ids);
  };
  return (
    <PersonPage
      user={user}
      here="access"
      actions={
        <>
          {isChanged && (
            <Button look="quiet" onPress={cancel}>
              {common('cancel')}
            </Button>
          )}
          <Button look="primary" icon={<Check size={16} />} isPending={isRunning} onPress={() => void run()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Problem error={error} />
      <div className={cx(styles.columns, styles.uneven)}>
        <Card title={t('title', { name })}>
          <div className="stack">
            <fieldset className={tiles.tiles}>
              <legend className="visually-hidden">{t('title', { name })}</legend>
              {scopes.map((one) => (
                <Tile key={one} scope={one} isOn={one === scope} onChoose={setScope}>
                  {one === 'groups' && scope === 'groups' && (
                    <fieldset className={styles.classes}>
                      <legend className="visually-hidden">{t('classes')}</legend>
                      {groups.map((group) => (
                        <FilterChip
                          key={group.id}
                          Icon={ids.includes(group.id) ? Check : Plus}
                          text={group.name}
                          count={group.members_count}
                          isOn={ids.includes(group.id)}
                          onChange={(isOn) => setIds(isOn ? [...ids, group.id] : ids.filter((id) => id !== group.id))}
                        />
                      ))}
                      {ids.length > 0 && <span>{t('members', { members, count: ids.length })}</span>}
                    </fieldset>
                  )}
                </Tile>
              ))}
            </fieldset>
            <p aria-live="polite">
              {scope === 'all'
                ? t('all_text', { name })
                : t(ids.length === 0 ? 'none_chosen' : 'groups_text', { name })}
            </p>
            {scope === 'groups' && <CanAndCannot />}
          </div>
        </Card>
        <div className="stack">
          {isChanged && <WhenYouSave user={user} to={{ scope, ids }} groups={groups} />}
          <WholeSchool />
        </div>
      </div>
    </PersonPage>
  );
}

type Scope = (typeof scopes)[number];
type TileProps = { scope: Scope; isOn: boolean; onChoose: (scope: Scope) => void; children: ReactNode };

function Tile({ scope, isOn, onChoose, children }: TileProps) {
  const t = useTexts(userScopeMessages);
  return (
    <div className={styles.tile}>
      <label>
        <input type="radio" name="scope" className="visually-hidden" checked={isOn} onChange={() => onChoose(scope)} />
        <span className={tiles.dot} aria-hidden="true" />
        <span>
          <b>{t(scope)}</b>
          <small className="note">{t(`${scope}_about`)}</small>
        </span>
      </label>
      {children}
    </div>
  );
}
