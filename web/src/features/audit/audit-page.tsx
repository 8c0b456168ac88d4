import { useMemo } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page, Skeleton } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import styles from './audit.module.css';
import { type AuditFilter, targetTypes, useAdministrators, useAudit } from './audit-queries.ts';
import { Entry } from './entry.tsx';
import { actionMessages, auditMessages, typeMessages } from './messages.ts';
import { namesOf } from './names.ts';

const defaults: AuditFilter = { actor: '', action: '', target_type: '', target_id: '', from: '', to: '' };
const actions = Object.keys(actionMessages) as (keyof typeof actionMessages)[];

/** What administrators changed, newest first; the filter is in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AuditPage() {
  const t = useTexts(auditMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { filter, page, change, turnTo } = useUrlFilter(defaults);
  const target_id = useDebounced(filter.target_id, 200);
  const { data, error } = useAudit({ ...filter, target_id }, page, useAccount().timezone);
  const names = useMemo(() => namesOf(data?.names ?? []), [data]);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <Page title={t('title')}>
      <Filters filter={filter} change={change} />
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={8} />}
      {data?.entries.length === 0 && (
        <Card>
          <Empty>
            <p>{t(isFiltered ? 'none' : 'empty')}</p>
            {isFiltered && <Button onPress={() => change(defaults)}>{t('clear')}</Button>}
          </Empty>
        </Card>
      )}
      {data !== undefined && data.entries.length > 0 && (
        <ul className={styles.entries} aria-label={t('entries')}>
          {data.entries.map((entry) => (
            <Entry key={entry.id} entry={entry} names={names} />
          ))}
        </ul>
      )}
      {data !== undefined && <Pager label={t('entries')} page={page} pages={data.pagination.pages} onChange={turnTo} />}
    </Page>
  );
}

type FiltersProps = { filter: AuditFilter; change: (changed: Partial<AuditFilter>) => void };

function Filters({ filter, change }: FiltersProps) {
  const t = useTexts(auditMessages);
  const action = useTexts(actionMessages);
  const type = useTexts(typeMessages);
  const { data: administrators = [] } = useAdministrators();
  const people = administrators.map(({ id, display_name }) => [`${id}`, display_name] as const);
  const isKnown = filter.actor === '' || people.some(([id]) => id === filter.actor);
  return (
    <div className={styles.filters}>
      <Select
        label={t('actor')}
        value={filter.actor}
        onChange={(actor) => change({ actor })}
        options={[['', t('anybody')], ...people, ...(isKnown ? [] : [[filter.actor, filter.actor] as const])]}
      />
      <Select
        label={t('action')}
        value={filter.action}
        onChange={(id) => change({ action: id })}
        options={[['', t('any_action')], ...actions.map((id) => [id, action(id)] as const)]}
      />
      <Select
        label={t('type')}
        value={filter.target_type}
        onChange={(target_type) => change({ target_type })}
        options={[['', t('any_type')], ...targetTypes.map((id) => [id, type(id)] as const)]}
      />
      <Field
        label={t('number')}
        inputMode="numeric"
        value={filter.target_id}
        maxLength={15}
        onChange={(target_id) => change({ target_id })}
      />
      <Field label={t('from')} type="date" value={filter.from} onChange={(from) => change({ from })} />
      <Field label={t('to')} type="date" value={filter.to} onChange={(to) => change({ to })} />
    </div>
  );
}
