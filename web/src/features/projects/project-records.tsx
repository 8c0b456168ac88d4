import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import { RecordRows } from './latest-records.tsx';
import styles from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';

/** Everybody's records on a project, latest first. */
export function useProjectRecords(id: number, isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['sessions', 'project', id],
    queryFn: async ({ pageParam, signal }) =>
      (await api.get('/api/sessions', { query: { project_id: id, page: pageParam, limit: 30 }, signal })).data,
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    enabled: isEnabled,
  });
}

/** The records of a project for administrators, who have none of their own. */
export function ProjectRecords({ id }: { id: number }) {
  const t = useTexts(overviewMessages);
  const read = useProjectRecords(id, true);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = read;
  const records = data?.pages.flatMap((page) => page.sessions);
  return (
    <Card className={styles.list}>
      <h2 className="visually-hidden">{t('records')}</h2>
      <Loading of={read} lines={5} />
      {records?.length === 0 && <p className="muted">{t('none_of_students')}</p>}
      <RecordRows records={records ?? []} />
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </Card>
  );
}
