import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { ScrollingTable } from '../../ui/scrolling-table.tsx';
import { rosterMessages } from './messages.ts';
import styles from './roster.module.css';
import type { Roster, RosterWithChanges } from './roster-queries.ts';

type Change = RosterWithChanges['changes'][number];
const fields = ['username', 'email', 'display_name', 'external_id', 'status'] as const;
const values = ['active', 'inactive'] as const;

/** What a roster changes, account by account. */
export function RosterChanges({ changes }: { changes: readonly Change[] }) {
  const t = useTexts(rosterMessages);
  return (
    <ScrollingTable name={t('what')} head={[t('account'), t('what')]} className={styles.table}>
      {changes.map((change) => (
        <tr key={`${change.kind} ${change.row} ${change.username}`}>
          <th scope="row">
            {change.display_name}
            <small>{change.username}</small>
          </th>
          <td>
            <What {...change} />
          </td>
        </tr>
      ))}
    </ScrollingTable>
  );
}

function What({ kind, changes, joins, leaves, problem }: Change) {
  const t = useTexts(rosterMessages);
  const { list } = useMarks();
  const shownValue = (field: string, value: string | null) => {
    if (value === null) return t('nothing');
    const known = field === 'status' ? values.find((one) => one === value) : undefined;
    return known === undefined ? value : t(`value_${known}`);
  };
  const nameOf = (field: string) => {
    const known = fields.find((one) => one === field);
    return known === undefined ? field : t(`field_${known}`);
  };
  const lines = [
    ...(kind === 'existing' ? [] : [t(`is_${kind}`)]),
    ...changes.map(({ field, before, after }) =>
      t('from_to', { field: nameOf(field), before: shownValue(field, before), after: shownValue(field, after) }),
    ),
    ...(joins.length > 0 ? [t('joins', { names: list(joins) })] : []),
    ...(leaves.length > 0 ? [t('leaves', { names: list(leaves) })] : []),
  ];
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {problem !== null && <li className={styles.problem}>{problem}</li>}
    </ul>
  );
}

/** What is wrong with the file. */
export function RosterErrors({ errors }: Pick<Roster, 'errors'>) {
  const t = useTexts(rosterMessages);
  return (
    <ScrollingTable name={t('error_list')} head={[t('row'), t('error')]} className={styles.table}>
      {errors.map(({ file, row, field, message }) => (
        <tr key={`${file} ${row} ${field} ${message}`}>
          <th scope="row">{file === '' ? row : t('place', { file, row })}</th>
          <td>{t('says', { field, message })}</td>
        </tr>
      ))}
    </ScrollingTable>
  );
}
