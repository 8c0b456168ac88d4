import { Users } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card, Empty } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { inAttention } from '../progress/everyone.ts';
import { progressMessages } from '../progress/messages.ts';
import type { Student } from '../progress/progress-queries.ts';
import { type StandingName, standingOf, standings, urgent } from '../progress/standing.ts';
import { StandingChip } from '../progress/standing-chip.tsx';
import { stateIcons } from '../progress/state-icons.ts';
import { useAsWalk } from '../progress/walk.ts';
import { Write } from '../progress/write.tsx';
import styles from './admin-home.module.css';
import { adminHomeMessages } from './messages.ts';

const shown = 7;

const isUrgent = (name: string): name is (typeof urgent)[number] => urgent.some((known) => known === name);

/** Students by what they need attention for, each in one class; most urgent first, from their own hours. */
export function Attention({ students, group }: { students: readonly Student[]; group: string }) {
  const t = useTexts(adminHomeMessages);
  const { filter, change } = useUrlFilter({ class: '', why: '' });
  const found = inAttention(students);
  const why = isUrgent(filter.why) ? filter.why : '';
  const listed = why === '' ? found : found.filter((student) => standingOf(student).name === why);
  const ids = listed.map(({ user_id }) => user_id);
  useAsWalk(t('attention'), ids);
  const rest = listed.length - shown;
  const state = why === '' ? '' : `&state=${why}`;
  const where = `${href('students')}?sort=goals${state}${group === '' ? '' : `&group_id=${group}`}`;
  return (
    <Card
      title={t('attention')}
      context={t('one_line')}
      actions={listed.length > 0 && <Write ids={ids} text="write_all" isSmall />}
      isFlush
    >
      <div className={styles.split}>
        <Classes students={students} found={found.length} why={why} onChange={(next) => change({ why: next })} />
        <div>
          {listed.length === 0 && (
            <div className={styles.none}>
              <Empty>{t('attention_none')}</Empty>
            </div>
          )}
          {listed.length > 0 && (
            <table className={cx(table.table, styles.attention)} aria-label={t('attention')}>
              <thead>
                <tr>
                  <th scope="col">{t('student')}</th>
                  {group === '' && (
                    <th scope="col" className={table.wide}>
                      {t('class')}
                    </th>
                  )}
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
                {listed.slice(0, shown).map((student) => (
                  <Row key={student.user_id} student={student} hasClass={group === ''} />
                ))}
              </tbody>
            </table>
          )}
          {rest > 0 && (
            <p className={table.foot}>
              <Link href={where}>{t('more', { count: rest })}</Link>
            </p>
          )}
        </div>
      </div>
    </Card>
  );
}

type ClassesProps = {
  students: readonly Student[];
  found: number;
  why: string;
  onChange: (why: string) => void;
};

/** How many students are in each class; the counts add up to all of them. */
function Classes({ students, found, why, onChange }: ClassesProps) {
  const t = useTexts(adminHomeMessages);
  const list = useTexts(progressMessages);
  const counts = new Map<StandingName, number>();
  for (const student of students) {
    const { name } = standingOf(student);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const entry = (name: '' | StandingName, text: string, count: number) => {
    const Icon = name === '' ? Users : stateIcons[name];
    const content = (
      <>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" data-state={name} />
        <span>{text}</span>
        <b>{count}</b>
      </>
    );
    return (
      <li key={name}>
        {name === '' || isUrgent(name) ? (
          <button type="button" aria-pressed={why === name} onClick={() => onChange(name)}>
            {content}
          </button>
        ) : (
          <div>{content}</div>
        )}
      </li>
    );
  };
  return (
    <ul className={styles.states} aria-label={t('why')}>
      {entry('', t('attention'), found)}
      {standings
        .filter((name) => name === 'on_track' || (counts.get(name) ?? 0) > 0)
        .map((name) => entry(name, list(`filter_${name}`), counts.get(name) ?? 0))}
      <li>
        <div className={styles.sum}>
          <span>{list('title')}</span>
          <b>{students.length}</b>
        </div>
      </li>
    </ul>
  );
}

function Row({ student, hasClass }: { student: Student; hasClass: boolean }) {
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
      {hasClass && (
        <td className={cx(table.wide, table.muted)}>{marks.list(student.groups.map((each) => each.name))}</td>
      )}
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
