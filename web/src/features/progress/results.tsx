import type { ReactNode } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Skeleton } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { progressMessages } from './messages.ts';
import type { StudentFilter } from './progress-queries.ts';

type Data = { users: readonly unknown[]; pagination: { pages: number } };
type Props<D extends Data> = {
  query: { data: D | undefined; error: Error | null };
  filter: StudentFilter;
  page: number;
  onClear: () => void;
  onTurn: (page: number) => void;
  children: (data: D) => ReactNode;
};

/** A page of students, or its empty, loading or error state. */
export function Results<D extends Data>({ query: { data, error }, filter, page, onClear, onTurn, children }: Props<D>) {
  const t = useTexts(progressMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const limits = [filter.search, filter.group_id, filter.project_id, filter.inactive_days];
  const isFiltered = page > 1 || limits.some((value) => value !== '');
  return (
    <>
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={8} />}
      {data?.users.length === 0 && (
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
      )}
      {data !== undefined && data.users.length > 0 && children(data)}
      {data !== undefined && <Pager label={t('title')} page={page} pages={data.pagination.pages} onChange={onTurn} />}
    </>
  );
}
