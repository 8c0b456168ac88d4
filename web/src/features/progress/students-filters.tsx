import { X } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { progressMessages } from './messages.ts';
import styles from './progress.module.css';
import { canSortBy, type StudentFilter, sorts, useProjectName } from './progress-queries.ts';

/** Days without study that can be chosen; an address may have others. */
const silences = ['3', '7', '14', '28', '90'];
const orders = ['asc', 'desc'] as const;

type Props = { filter: StudentFilter; onChange: (changed: Partial<Record<keyof StudentFilter, string>>) => void };

export function Filters({ filter, onChange }: Props) {
  const t = useTexts(progressMessages);
  const { data: groups = [] } = useGroups();
  const projectName = useProjectName(filter.project_id);
  const { inactive_days } = filter;
  const days = inactive_days === '' || silences.includes(inactive_days) ? silences : [...silences, inactive_days];
  return (
    <div className="no-print">
      <div className={styles.filters}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => onChange({ search })} />
        <Select
          label={t('group')}
          isLabelHidden
          value={filter.group_id}
          onChange={(group_id) => onChange({ group_id })}
          options={[['', t('all_groups')], ...groups.map(({ id, name }) => [`${id}`, name] as const)]}
        />
        <Select
          label={t('silence')}
          isLabelHidden
          value={inactive_days}
          onChange={(count) => onChange({ inactive_days: count })}
          options={[['', t('anybody')], ...days.map((count) => [count, t('silent_for', { count })] as const)]}
        />
        <div className={styles.narrow}>
          <Select
            label={t('sort')}
            isLabelHidden
            value={`${filter.sort} ${filter.order}`}
            onChange={(value) => {
              const [sort = '', order = ''] = value.split(' ');
              onChange({ sort, order });
            }}
            options={sorts
              .filter((sort) => canSortBy(sort, filter))
              .flatMap((sort) => orders.map((order) => [`${sort} ${order}`, t(`${sort}_${order}`)] as const))}
          />
        </div>
      </div>
      {filter.project_id !== '' && (
        <p className={styles.chip}>
          {t('only_project', { name: projectName ?? '…' })}
          <Button
            look="quiet"
            aria-label={t('any_project')}
            icon={<X size={18} />}
            onPress={() => onChange({ project_id: '' })}
          />
        </p>
      )}
    </div>
  );
}

/** How many there are; on paper also which, and when. */
export function Caption({ filter, total }: { filter: StudentFilter; total: number }) {
  const t = useTexts(progressMessages);
  const formats = useFormats(useAccount().timezone);
  const { data: groups = [] } = useGroups();
  const projectName = useProjectName(filter.project_id);
  const group = groups.find(({ id }) => `${id}` === filter.group_id)?.name;
  const which = [
    group,
    projectName !== undefined && t('only_project', { name: projectName }),
    filter.inactive_days !== '' && t('silent_for', { count: filter.inactive_days }),
    filter.search,
    t('as_of', { when: formats.dateTime(new Date().toISOString()) }),
  ];
  return (
    <p className={styles.caption}>
      <span role="status">{t('count', { count: total })}</span>
      <span className={styles.paper}>{which.filter(Boolean).join(' · ')}</span>
      {!canSortBy('hours_7d', filter) && <span className={styles.hint}>{t('sort_hint')}</span>}
    </p>
  );
}
