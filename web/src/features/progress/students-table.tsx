import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { SortColumn } from '../../ui/sort-column.tsx';
import { Goals } from './goals.tsx';
import { progressMessages } from './messages.ts';
import styles from './progress.module.css';
import {
  canSortBy,
  type Order,
  type Sorting,
  type Student,
  type StudentFilter,
  sorts,
  useHoursOn,
} from './progress-queries.ts';

const hourColumns = ['hours_7d', 'hours_28d', 'total_hours'] as const;
type Sort = (typeof sorts)[number];
/** The order on the first click: names from A, longest inactive, most hours. */
const firstOrder: Readonly<Record<Sort, Order>> = {
  ...{ username: 'asc', last_session: 'asc', hours_7d: 'desc', hours_28d: 'desc', total_hours: 'desc' },
};

type Props = {
  students: readonly Student[];
  filter: StudentFilter;
  isStale: boolean;
  onSort: (sorting: Sorting) => void;
};

/** A phone shows name, last study and one column of hours. */
export function StudentsTable({ students, filter, isStale, onSort }: Props) {
  const t = useTexts(progressMessages);
  const { sort, order } = filter;
  const hoursHere = useHoursOn(filter.project_id);
  const mainHours = hourColumns.find((name) => name === sort) ?? 'hours_7d';
  const classOf = (name: Sort) =>
    name === 'username' || name === 'last_session' ? undefined : cx(styles.number, name !== mainHours && styles.wide);
  const onPress = (name: Sort) => () =>
    onSort({
      sort: name,
      order: name !== sort ? firstOrder[name] : order === 'asc' ? 'desc' : 'asc',
      sort_project_id: '',
    });
  return (
    <table className={styles.table} aria-label={t('title')} aria-busy={isStale}>
      <thead>
        <tr>
          {sorts.map((name) => (
            <SortColumn
              key={name}
              text={t(name)}
              className={classOf(name)}
              order={name === sort ? order : undefined}
              onSort={canSortBy(name, filter) ? onPress(name) : undefined}
            />
          ))}
          {hoursHere !== undefined && (
            <th scope="col" className={cx(styles.number, styles.wide)}>
              {t('hours_here')}
            </th>
          )}
          <th scope="col" className={cx(styles.number, styles.wide)}>
            {t('streak')}
          </th>
          <th scope="col" className={styles.wide}>
            {t('goals')}
          </th>
        </tr>
      </thead>
      <tbody>
        {students.map((student) => (
          <Row
            key={student.user_id}
            student={student}
            group={filter.group_id}
            classOf={classOf}
            hoursHere={hoursHere}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  student: Student;
  /** The group that the table is filtered by, which rows do not repeat. */
  group: string;
  classOf: (name: Sort) => string | undefined;
  hoursHere: ReadonlyMap<number, number> | undefined;
};

function Row({ student, group, classOf, hoursHere }: RowProps) {
  const t = useTexts(progressMessages);
  const formats = useFormats(useAccount().timezone);
  const { user_id, username, groups, last_session, running_timer, current_streak } = student;
  const otherGroups = groups.filter(({ id }) => `${id}` !== group);
  const needsAttention = student.goals.behind + student.goals.near > 0;
  return (
    <tr>
      <th scope="row">
        <Link href={href('student', { id: user_id })}>{student.display_name}</Link>
        <small>{[username, ...otherGroups.map(({ name }) => name)].join(' · ')}</small>
        {needsAttention && (
          <small className={styles.narrow}>
            <Goals student={student} />
          </small>
        )}
      </th>
      <td>
        {last_session === null ? t('never') : formats.daysAgo(last_session)}
        {running_timer !== null && <small className={styles.now}>{t('studying')}</small>}
      </td>
      {hourColumns.map((name) => (
        <td key={name} className={classOf(name)}>
          {formats.tenths(student[name])}
        </td>
      ))}
      {hoursHere !== undefined && (
        <td className={cx(styles.number, styles.wide)}>{formats.tenths(hoursHere.get(user_id) ?? 0)}</td>
      )}
      <td className={cx(styles.number, styles.wide)}>{t('days', { count: current_streak })}</td>
      <td className={styles.wide}>
        <Goals student={student} />
      </td>
    </tr>
  );
}
