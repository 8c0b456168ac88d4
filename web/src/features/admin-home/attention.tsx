import { Users } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card, Empty } from '../../ui/page.tsx';
import { PeopleTable, type PersonColumn } from '../../ui/people-table.tsx';
import { inAttention } from '../progress/everyone.ts';
import { progressMessages } from '../progress/messages.ts';
import type { Student } from '../progress/progress-queries.ts';
import { type StandingName, standingOf, standings, urgent } from '../progress/standing.ts';
import { StandingChip } from '../progress/standing-chip.tsx';
import { stateIcons } from '../progress/state-icons.ts';
import { nameOf, Weeks } from '../progress/student-cells.tsx';
import { useAsWalk } from '../progress/walk.ts';
import { Write } from '../progress/write.tsx';
import styles from './attention.module.css';
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
  const columns = useColumns(group === '');
  const rest = listed.length - shown;
  const state = why === '' ? '' : `&state=${why}`;
  const where = `${href('students')}?sort=goals${state}${group === '' ? '' : `&group_id=${group}`}`;
  return (
    <Card
      title={t('attention')}
      context={t('one_line')}
      actions={listed.length > 0 && <Write ids={ids} text="write_all" look="primary" isSmall />}
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
            <PeopleTable
              label={t('attention')}
              title={t('student')}
              people={listed.slice(0, shown)}
              whoIs={nameOf}
              columns={columns}
            />
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
        <Icon size={16} strokeWidth={1.75} data-state={name} />
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

function useColumns(hasClass: boolean): readonly PersonColumn<Student>[] {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats('UTC');
  const marks = useMarks();
  const classes: PersonColumn<Student> = {
    id: 'class',
    text: t('class'),
    className: cx(table.wide, table.muted),
    cell: ({ groups }) => marks.list(groups.map(({ name }) => name)),
  };
  return [
    ...(hasClass ? [classes] : []),
    { id: 'why', text: t('why'), place: 'state', cell: (student) => <StandingChip student={student} isLong /> },
    { id: 'weeks', text: t('weeks'), className: table.wide, cell: ({ weeks }) => <Weeks weeks={weeks} /> },
    {
      id: 'this_week',
      text: t('this_week'),
      place: 'side',
      className: cx(table.end, styles.hours),
      cell: ({ weeks }) => <span data-label={t('this_week')}>{formats.shortHours(weeks.at(-1) ?? 0)}</span>,
    },
    {
      id: 'write',
      text: '',
      place: 'corner',
      className: cx(table.end, 'no-print'),
      cell: ({ user_id, display_name: name }) => (
        <Write ids={[user_id]} name={name} text="write" look="quiet" isSmall />
      ),
    },
  ];
}
