import { type CSSProperties, useId } from 'react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Avatar } from '../../ui/person.tsx';
import { SortColumn } from '../../ui/sort-column.tsx';
import styles from './hours-table.module.css';
import print from './hours-table-print.module.css';
import { progressMessages } from './messages.ts';
import { canSortBy, type Sorting, type StudentFilter } from './progress-queries.ts';
import type { ProjectColumn, ProjectHours } from './project-hours-queries.ts';

/** With more projects, their names are printed vertically. */
const maxHorizontal = 10;

type Props = {
  students: readonly ProjectHours[];
  projects: readonly ProjectColumn[];
  filter: StudentFilter;
  isStale: boolean;
  onSort: (sorting: Sorting) => void;
};

/** A student in each row and a project in each column. A phone shows a card for each student. */
export function HoursTable({ students, projects, filter, isStale, onSort }: Props) {
  const t = useTexts(progressMessages);
  const caption = useId();
  const { sort, order, sort_project_id } = filter;
  const column = (name: Sorting['sort'], project = '') => {
    const isSorted = name === sort && project === sort_project_id;
    const first = name === 'username' ? 'asc' : 'desc';
    const next = isSorted ? (order === 'asc' ? 'desc' : 'asc') : first;
    return {
      order: isSorted ? order : undefined,
      onSort: canSortBy(name, filter) ? () => onSort({ sort: name, order: next, sort_project_id: project }) : undefined,
    };
  };
  const columns = { '--columns': projects.length } as CSSProperties; // a custom property
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={cx(styles.frame, print.frame)} aria-labelledby={caption} tabIndex={0}>
      <table
        className={cx(styles.table, print.table, projects.length > maxHorizontal && print.upright)}
        style={columns}
        aria-busy={isStale}
      >
        <caption id={caption} className="visually-hidden">
          {t('hours_by_project')}
        </caption>
        <thead>
          <tr>
            <SortColumn text={t('username')} {...column('username')} />
            <SortColumn text={t('total_hours')} className={styles.number} {...column('total_hours')} />
            {projects.map((project) => (
              <SortColumn
                key={project.id}
                text={project.name}
                className={styles.project}
                {...column('project_hours', `${project.id}`)}
              >
                <ProjectStatus project={project} />
              </SortColumn>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <Row key={student.user_id} student={student} projects={projects} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A project's target, which is not measured here: it may be that of each student or of all together. */
function ProjectStatus({ project: { status, state, target_hours } }: { project: ProjectColumn }) {
  const t = useTexts(progressMessages);
  const formats = useFormats('UTC');
  return (
    <small>
      {target_hours > 0 && <span>{t('target_of', { hours: formats.hours(target_hours) })}</span>}
      {status !== 'active' && <span>{t(status)}</span>}
      {(state === 'behind' || state === 'overdue') && <span className={styles.late}>{t(`is_${state}`)}</span>}
    </small>
  );
}

function Row({ student, projects }: { student: ProjectHours; projects: readonly ProjectColumn[] }) {
  const t = useTexts(progressMessages);
  const formats = useOwnFormats();
  return (
    <tr>
      <th scope="row">
        <span className={table.named}>
          <Avatar id={student.user_id} name={student.display_name} size="small" />
          <Link href={href('student', { id: student.user_id })}>{student.display_name}</Link>
        </span>
      </th>
      <td className={styles.number}>{formats.tenths(student.total_hours)}</td>
      {projects.map(({ id, name }, index) => (
        <Hours
          key={id}
          hours={student.hours[index] ?? null}
          project={name}
          none={t('not_assigned')}
          formats={formats}
        />
      ))}
    </tr>
  );
}

type HoursProps = {
  hours: number | null;
  project: string;
  none: string;
  formats: ReturnType<typeof useFormats>;
};

function Hours({ hours, project, none, formats }: HoursProps) {
  if (hours === null)
    return (
      <td className={cx(styles.number, styles.none)}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{none}</span>
      </td>
    );
  return (
    <td className={cx(styles.number, hours === 0 && styles.zero)} data-project={project}>
      {formats.tenths(hours)}
    </td>
  );
}
