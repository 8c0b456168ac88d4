import { useMemo } from 'react';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { actionsOf } from './actions.ts';
import styles from './audit.module.css';
import { type AuditFilter, useAudit } from './audit-queries.ts';
import { Entry } from './entry.tsx';
import { auditMessages } from './messages.ts';
import { namesOf } from './names.ts';

type Props = {
  filter: AuditFilter;
  page: number;
  onTurn: (page: number) => void;
  /** Absent where the filter belongs to the page. */
  onClear?: () => void;
};

/** Changes by administrators, newest first. */
export function Changes({ filter, page, onTurn, onClear }: Props) {
  const t = useTexts(auditMessages);
  const read = useAudit(filter, page, useAccount().timezone);
  const { data } = read;
  const names = useMemo(() => namesOf(data?.names ?? []), [data]);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <Loading of={read} lines={8} />
      {data?.entries.length === 0 && (
        <Card>
          <Empty>
            <p>{t(isFiltered ? 'none' : 'empty')}</p>
            {isFiltered && onClear !== undefined && <Button onPress={onClear}>{t('clear')}</Button>}
          </Empty>
        </Card>
      )}
      {data !== undefined && data.entries.length > 0 && (
        <ul className={styles.entries} aria-label={t('entries')}>
          {actionsOf(data.entries).map((action) => (
            <Entry key={action.first.id} of={action} names={names} />
          ))}
        </ul>
      )}
      {data !== undefined && <Pager label={t('entries')} page={page} pages={data.pagination.pages} onChange={onTurn} />}
    </>
  );
}
