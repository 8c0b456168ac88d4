import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { actionMessages } from './action-messages.ts';
import styles from './audit.module.css';
import { type AuditFilter, noFilter, targetTypes, useAdministrators } from './audit-queries.ts';
import { Changes } from './changes.tsx';
import { auditMessages, typeMessages } from './messages.ts';
import { capitalized } from './sentence.tsx';
import { TargetField } from './target-field.tsx';
import { isSameKind } from './target-queries.ts';

const actions = Object.keys(actionMessages) as (keyof typeof actionMessages)[];

/** What administrators changed, newest first; the filter is in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AuditPage() {
  const t = useTexts(auditMessages);
  const { filter, page, change, turnTo } = useUrlFilter(noFilter);
  return (
    <Page title={t('title')}>
      <Filters filter={filter} change={change} />
      <Changes filter={filter} page={page} onTurn={turnTo} onClear={() => change(noFilter)} />
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
        options={[['', t('any_action')], ...actions.map((id) => [id, capitalized(action(id, { what: '…' }))] as const)]}
      />
      <TargetField filter={filter} onChange={change} />
      <Select
        label={t('type')}
        value={filter.target_type}
        onChange={(target_type) =>
          change({ target_type, ...(!isSameKind(target_type, filter.target_type) && { target_id: '' }) })
        }
        options={[['', t('any_type')], ...targetTypes.map((id) => [id, type(id)] as const)]}
      />
      <DayField label={t('from')} value={filter.from} onChange={(from) => change({ from })} isOptional />
      <DayField label={t('to')} value={filter.to} onChange={(to) => change({ to })} isOptional />
    </div>
  );
}
