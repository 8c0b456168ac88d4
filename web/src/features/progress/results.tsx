import type { ReactNode } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading, type Read } from '../../ui/loading.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { progressMessages } from './messages.ts';
import type { StudentFilter } from './progress-queries.ts';

type Data = { users: readonly unknown[]; pagination: { pages: number } };
type Props<D extends Data> = {
  query: Read & { data: D | undefined };
  filter: StudentFilter;
  page: number;
  onClear: () => void;
  onTurn: (page: number) => void;
  children: (data: D) => ReactNode;
};

/** A page of students, or its empty, loading or error state. */
export function Results<D extends Data>({ query, filter, page, onClear, onTurn, children }: Props<D>) {
  const t = useTexts(progressMessages);
  const { data } = query;
  const limits = [filter.search, filter.group_id, filter.project_id, filter.inactive_days];
  const isFiltered = page > 1 || limits.some((value) => value !== '');
  return (
    <>
      <Loading of={query} lines={8} />
      {data?.users.length === 0 && <NoStudents isFiltered={isFiltered} onClear={onClear} />}
      {data !== undefined && data.users.length > 0 && children(data)}
      {data !== undefined && <Pager label={t('title')} page={page} pages={data.pagination.pages} onChange={onTurn} />}
    </>
  );
}

/** Instead of an empty list: the filters hide everybody, or nobody is there yet. */
export function NoStudents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const t = useTexts(progressMessages);
  return (
    <Card>
      <Empty>
        <p>{t(isFiltered ? 'none' : 'first')}</p>
        {isFiltered ? (
          <Button onPress={onClear}>{t('clear')}</Button>
        ) : (
          <LinkButton href={href('newUsers')} look="primary">
            {t('make')}
          </LinkButton>
        )}
      </Empty>
    </Card>
  );
}
