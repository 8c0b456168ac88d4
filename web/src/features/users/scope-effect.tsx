import { Check, Clock, Layers, Minus, Users } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { IconPart } from '../school-year/effect-changes.tsx';
import { useOthersOf, useWholeSchool } from './scope-queries.ts';
import { type User, useWorkOf } from './user-queries.ts';
import { userScopeMessages } from './user-scope-messages.ts';
import styles from './users.module.css';

const can = ['can_assign', 'can_edit', 'can_move', 'can_excuse'] as const;
const cannot = ['cannot_find', 'cannot_delete', 'cannot_others', 'cannot_widen'] as const;

/** What an administrator of some classes may do, and what not. */
export function CanAndCannot() {
  const t = useTexts(userScopeMessages);
  const lists = [
    { title: 'can', keys: can, Icon: Check },
    { title: 'cannot', keys: cannot, Icon: Minus },
  ] as const;
  return (
    <div className={styles.cans}>
      {lists.map(({ title, keys, Icon }) => (
        <div key={title}>
          <h3>{t(title)}</h3>
          <ul>
            {keys.map((key) => (
              <li key={key}>
                <Icon size={16} />
                {t(key)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

type Class = { id: number; name: string };
type Scope = { scope: 'all' | 'groups'; ids: readonly number[] };
type Props = { user: User; to: Scope; groups: readonly Class[] };

/** What changes when the scope is saved. */
export function WhenYouSave({ user, to, groups }: Props) {
  const { display_name: name } = user;
  const t = useTexts(userScopeMessages);
  const { list } = useMarks();
  const { data: work } = useWorkOf(user.id);
  const { data: outside } = useOthersOf(user.id, to.ids);
  const before = { scope: user.admin_scope ?? 'all', ids: user.admin_group_ids ?? [] };
  const names = (those: readonly number[], without: readonly number[]) =>
    list(groups.filter(({ id }) => those.includes(id) && !without.includes(id)).map((group) => group.name));
  const [lost, won] = [names(before.ids, to.ids), names(to.ids, before.ids)];
  const isLimited = to.scope === 'groups';
  const wasLimited = before.scope === 'groups';
  const students = [
    !isLimited && wasLimited && t('gains_all', { name }),
    isLimited && !wasLimited && t('loses_others', { name }),
    isLimited && wasLimited && lost !== '' && t('loses', { name, classes: lost }),
    isLimited && wasLimited && won !== '' && t('gains', { name, classes: won }),
  ].filter((text) => text !== false);
  return (
    <Card title={t('on_save')}>
      <div className="stack">
        <IconPart icon={<Clock size={16} />} title={t('at_once')} />
        {isLimited && work !== undefined && work.own > 0 && (
          <IconPart icon={<Layers size={16} />} title={t('keeps', { name, count: work.own })}>
            {outside != null && outside.projects > 0 ? (
              <li>{t('others', { name, count: outside.projects, others: outside.others })}</li>
            ) : undefined}
          </IconPart>
        )}
        {students.map((text) => (
          <IconPart key={text} icon={<Users size={16} />} title={text} />
        ))}
      </div>
    </Card>
  );
}

/** The active administrators of the whole school. */
export function WholeSchool() {
  const t = useTexts(userScopeMessages);
  const { id: own } = useAccount();
  const { data = [] } = useWholeSchool();
  return (
    <Card title={t('all')} context={data.length > 0 && t('administrators', { count: data.length })}>
      <div className="stack">
        <ul className={cx('stack', styles.people)}>
          {data.map(({ id, display_name: name }) => (
            <li key={id}>
              <Avatar id={id} name={name} size="small" />
              {name}
              {id === own && <small className="note">{t('you')}</small>}
            </li>
          ))}
        </ul>
        <p className={styles.own}>{t('always_one')}</p>
      </div>
    </Card>
  );
}
