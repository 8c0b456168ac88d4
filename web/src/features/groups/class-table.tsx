import { Link, useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { SparkLine } from '../../ui/sparkline.tsx';
import { Delta } from '../../ui/stats.tsx';
import { sumOf } from '../progress/everyone.ts';
import type { Student } from '../progress/progress-queries.ts';
import { type StandingName, standingOf, urgent } from '../progress/standing.ts';
import { classTableMessages } from './class-messages.ts';
import styles from './class-table.module.css';

type Class = { id: number; name: string; members_count: number };
type Props = {
  label: string;
  classes: readonly Class[];
  /** All of them, or undefined for too many: then without figures. */
  students: readonly Student[] | undefined;
};

/** Classes at a glance, from the progress of their students. */
export function ClassTable({ classes, students, label }: Props) {
  const t = useTexts(classTableMessages);
  return (
    <table className={cx(table.table, styles.classes)} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t('class')}</th>
          <th scope="col" className={table.end}>
            {t('students')}
          </th>
          <th scope="col" className={table.wide}>
            {t('per_student')}
          </th>
          <th scope="col" className={cx(table.end, styles.rare)}>
            {t('this_week')}
          </th>
          <th scope="col" className={cx(table.end, styles.rare)}>
            {t('studied_today')}
          </th>
          <th scope="col">{t('standings')}</th>
        </tr>
      </thead>
      <tbody>
        {classes.map((each) => (
          <Row
            key={each.id}
            of={each}
            students={students?.filter((student) => student.groups.some((group) => group.id === each.id))}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({ of: { id, name, members_count }, students }: { of: Class; students: readonly Student[] | undefined }) {
  const [, navigate] = useLocation();
  const to = href('group', { id });
  return (
    // The link in the row is for the keyboard.
    <tr
      className={table.opens}
      onClick={({ target }) => target instanceof Element && target.closest('a') === null && navigate(to)}
    >
      <th scope="row">
        <span className={table.named}>
          <Link href={to}>{name}</Link>
        </span>
      </th>
      <td className={table.end}>{members_count}</td>
      {students === undefined || students.length === 0 ? (
        <>
          <td className={table.wide} />
          <td className={styles.rare} />
          <td className={styles.rare} />
          <td />
        </>
      ) : (
        <Figures students={students} />
      )}
    </tr>
  );
}

function Figures({ students }: { students: readonly Student[] }) {
  const t = useTexts(classTableMessages);
  const formats = useFormats('UTC');
  const { studied, weeks, lastWeekSoFar } = sumOf(students);
  const each = students.length;
  const week = (weeks.at(-1) ?? 0) / each;
  const change = week - lastWeekSoFar / each;
  const names = students.map((student) => standingOf(student).name);
  const count = (...wanted: StandingName[]) => names.filter((standing) => wanted.includes(standing)).length;
  const parts = [
    ['bad', count('silent', 'overdue')],
    ['warn', count('behind', 'slowing')],
    ['plain', count('not_started')],
    ['good', count('on_track')],
    ['none', count('without_goals')],
  ] as const;
  const attention = names.filter((name) => urgent.some((known) => known === name)).length;
  const facts = [
    attention > 0 && t('attention', { count: attention }),
    t('on_track', { count: count('on_track') }),
    count('without_goals') > 0 && t('without_goals', { count: count('without_goals') }),
  ];
  let x = 0;
  return (
    <>
      <td className={table.wide}>
        <SparkLine
          label={t('weeks_are', { hours: weeks.map((hours) => formats.number(hours / each)).join(', ') })}
          values={weeks}
          isWide
        />
      </td>
      <td className={cx(table.end, styles.rare)}>
        <strong>{formats.hours(week)}</strong>{' '}
        {Math.abs(change) >= 0.05 && (
          <Delta value={change} isMuted>
            {formats.hours(Math.abs(change))}
          </Delta>
        )}
      </td>
      <td className={cx(table.end, styles.rare)}>
        {studied.at(-1) ?? 0} <span className={table.muted}>{t('of', { count: students.length })}</span>
      </td>
      <td>
        <span className={styles.standings}>
          <svg viewBox="0 0 168 10" aria-hidden="true">
            {parts.map(([look, part]) => {
              const width = (part / each) * 168;
              x += width;
              return part === 0 ? null : (
                <rect
                  key={look}
                  className={styles[look]}
                  x={x - width}
                  width={Math.max(2, width - 2)}
                  height="10"
                  rx="2"
                />
              );
            })}
          </svg>
          <span className={table.muted}>{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </td>
    </>
  );
}
