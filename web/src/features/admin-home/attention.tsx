import { Link, useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card, Empty } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { Student } from '../progress/progress-queries.ts';
import { needsAttention, standingOf, standings } from '../progress/standing.ts';
import { StandingChip } from '../progress/standing-chip.tsx';
import { Write } from '../progress/write.tsx';
import styles from './admin-home.module.css';
import { adminHomeMessages } from './messages.ts';

const shown = 7;

/** Students who are silent, overdue, behind or have not started, most urgent first, from their own hours. */
export function Attention({ students, group }: { students: readonly Student[]; group: string }) {
  const t = useTexts(adminHomeMessages);
  const urgency = (student: Student) => {
    const { name, count } = standingOf(student);
    return standings.indexOf(name) * 10_000 - count;
  };
  const found = students
    .filter((student) => needsAttention(standingOf(student)))
    .toSorted((a, b) => urgency(a) - urgency(b));
  const ids = found.map(({ user_id }) => user_id);
  const rest = found.length - shown;
  const where = `${href('students')}?sort=goals${group === '' ? '' : `&group_id=${group}`}`;
  return (
    <Card
      title={t('attention')}
      context={t('students_count', { count: found.length })}
      actions={found.length > 0 && <Write ids={ids} text="write_all" isSmall />}
      isFlush
    >
      {found.length === 0 && <Empty>{t('attention_none')}</Empty>}
      {found.length > 0 && (
        <table className={cx(table.table, styles.attention)} aria-label={t('attention')}>
          <thead>
            <tr>
              <th scope="col">{t('student')}</th>
              <th scope="col">{t('why')}</th>
              <th scope="col" className={table.wide}>
                {t('weeks')}
              </th>
              <th scope="col" className={table.end}>
                {t('this_week')}
              </th>
              <td className="no-print" />
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map((student) => (
              <Row key={student.user_id} student={student} />
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 && (
        <p className={table.foot}>
          <Link href={where}>{t('more', { count: rest })}</Link>
        </p>
      )}
    </Card>
  );
}

function Row({ student }: { student: Student }) {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats('UTC');
  const marks = useMarks();
  const [, navigate] = useLocation();
  const { user_id: id, display_name: name, weeks } = student;
  const to = href('student', { id });
  return (
    // The link in the row is for the keyboard.
    <tr
      className={table.opens}
      onClick={({ target }) => target instanceof Element && target.closest('a, button') === null && navigate(to)}
    >
      <th scope="row" className={styles.who}>
        <span className={table.named}>
          <Avatar id={id} name={name} isSmall />
          <Link href={to}>{name}</Link>
        </span>
      </th>
      <td className={styles.why}>
        <StandingChip student={student} isLong />
      </td>
      <td className={table.wide}>
        <Sparkline label={t('weeks_are', { hours: marks.list(weeks.map(formats.number)) })} values={weeks} />
      </td>
      <td className={cx(table.end, styles.hours)} data-label={t('this_week')}>
        {formats.shortHours(weeks.at(-1) ?? 0)}
      </td>
      <td className={cx(table.end, styles.write, 'no-print')}>
        <Write ids={[id]} name={name} text="write" look="quiet" isSmall />
      </td>
    </tr>
  );
}
