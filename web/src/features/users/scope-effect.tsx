import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import type { User } from './user-queries.ts';
import { useWholeSchool, useWorkOf } from './user-queries.ts';
import { userScopeMessages } from './user-scope-messages.ts';
import styles from './users.module.css';

const can = ['can_assign', 'can_edit', 'can_move', 'can_excuse'] as const;
const cannot = ['cannot_find', 'cannot_delete', 'cannot_others', 'cannot_widen'] as const;

/** What an administrator of some classes may do, and what not. */
export function CanAndCannot() {
  const t = useTexts(userScopeMessages);
  return (
    <div className={styles.cans}>
      {([['can', can] as const, ['cannot', cannot] as const] as const).map(([title, keys]) => (
        <div key={title}>
          <h3>{t(title)}</h3>
          <ul data-kind={title}>
            {keys.map((key) => (
              <li key={key}>{t(key)}</li>
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
  const t = useTexts(userScopeMessages);
  const { list } = useMarks();
  const { data: work } = useWorkOf(user.id);
  const { data: others = [] } = useWholeSchool();
  const before = { scope: user.admin_scope ?? 'all', ids: user.admin_group_ids ?? [] };
  const names = (those: readonly number[], without: readonly number[]) =>
    list(groups.filter(({ id }) => those.includes(id) && !without.includes(id)).map(({ name }) => name));
  const [lost, won] = [names(before.ids, to.ids), names(to.ids, before.ids)];
  const isLimited = to.scope === 'groups';
  const wasLimited = before.scope === 'groups';
  return (
    <div className={styles.cans}>
      <div>
        <h3>{t('on_save')}</h3>
        <ul>
          <li>{t('at_once')}</li>
          {!isLimited && wasLimited && <li>{t('gains_all')}</li>}
          {isLimited && !wasLimited && <li>{t('loses_others')}</li>}
          {isLimited && wasLimited && lost !== '' && <li>{t('loses', { classes: lost })}</li>}
          {isLimited && wasLimited && won !== '' && <li>{t('gains', { classes: won })}</li>}
          {isLimited && work !== undefined && work.own > 0 && <li>{t('keeps', { count: work.own })}</li>}
          {others.length > 0 && <li>{t('whole_school', { names: list(others) })}</li>}
        </ul>
      </div>
    </div>
  );
}
