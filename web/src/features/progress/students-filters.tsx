import { X } from 'lucide-react';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { GroupFilter } from '../assignments/group-filter.tsx';
import { progressMessages } from './messages.ts';
import styles from './progress.module.css';
import { canSortBy, type StudentFilter, useProjectName } from './progress-queries.ts';
import type { ProjectColumn } from './project-hours-queries.ts';

/** Options for days without study; the URL may contain others. */
const inactivityOptions = ['3', '7', '14', '28', '90'];
const orders = ['asc', 'desc'] as const;

type Props = {
  filter: StudentFilter;
  onChange: (changed: Partial<Record<keyof StudentFilter, string>>) => void;
  /** The projects shown as columns. */
  projects: readonly ProjectColumn[];
};

export function Filters({ filter, onChange, projects }: Props) {
  const t = useTexts(progressMessages);
  const { inactive_days } = filter;
  const days =
    inactive_days === '' || inactivityOptions.includes(inactive_days)
      ? inactivityOptions
      : [...inactivityOptions, inactive_days];
  const both = (sort: 'username' | 'total_hours') =>
    orders.map((order) => [`${sort} ${order} `, t(`${sort}_${order}`)] as const);
  const sortsOfTable = (columns: readonly ProjectColumn[]) => [
    ...both('username'),
    ...both('total_hours'),
    ...(canSortBy('project_hours', filter) ? columns : []).flatMap(({ id, name }) =>
      orders.map((order) => [`project_hours ${order} ${id}`, t(`project_hours_${order}`, { name })] as const),
    ),
  ];
  return (
    <div className="no-print">
      <div className={styles.filters}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => onChange({ search })} />
        <GroupFilter value={filter.group_id} onChange={(group_id) => onChange({ group_id })} />
        <Select
          label={t('inactivity')}
          isLabelHidden
          value={inactive_days}
          onChange={(count) => onChange({ inactive_days: count })}
          options={[['', t('anybody')], ...days.map((count) => [count, t('inactive_for', { count })] as const)]}
        />
        <div className={styles.narrow}>
          <Select
            label={t('sort')}
            isLabelHidden
            value={`${filter.sort} ${filter.order} ${filter.sort_project_id}`}
            onChange={(value) => {
              const [sort = '', order = '', sort_project_id = ''] = value.split(' ');
              onChange({ sort, order, sort_project_id });
            }}
            options={sortsOfTable(projects)}
          />
        </div>
      </div>
      <ProjectFilter project={filter.project_id} onClear={() => onChange({ project_id: '' })} />
    </div>
  );
}

/** The project by which students are filtered. */
export function ProjectFilter({ project, onClear }: { project: string; onClear: () => void }) {
  const t = useTexts(progressMessages);
  const name = useProjectName(project);
  if (project === '') return null;
  return (
    <p className={styles.chip}>
      {t('only_project', { name: name ?? '…' })}
      <Button look="quiet" aria-label={t('any_project')} icon={<X size={18} />} onPress={onClear} />
    </p>
  );
}

type CaptionProps = {
  filter: StudentFilter;
  total: number;
  projects: { projects: readonly unknown[]; projects_total: number };
};

/** The number of students; on paper also the filters and the time. */
export function Caption({ filter, total, projects }: CaptionProps) {
  const t = useTexts(progressMessages);
  const formats = useOwnFormats();
  const { data: groups = [] } = useGroups();
  const projectName = useProjectName(filter.project_id);
  const group = groups.find(({ id }) => `${id}` === filter.group_id)?.name;
  const which = [
    group,
    projectName !== undefined && t('only_project', { name: projectName }),
    filter.inactive_days !== '' && t('inactive_for', { count: filter.inactive_days }),
    filter.search,
    t('as_of', { when: formats.dateTime(new Date().toISOString()) }),
  ];
  return (
    <p className={styles.caption}>
      <span role="status">{t('count', { count: total })}</span>
      <span className={styles.paper}>{which.filter(Boolean).join(' · ')}</span>
      <span>
        {projects.projects.length < projects.projects_total
          ? t('some_projects', { shown: projects.projects.length, count: projects.projects_total })
          : t('count_projects', { count: projects.projects_total })}
      </span>
      {!canSortBy('project_hours', filter) && <span className={styles.hint}>{t('sort_project_hint')}</span>}
    </p>
  );
}
