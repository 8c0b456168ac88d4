import { RefreshCw } from 'lucide-react';
import { ApiError } from '../lib/api.ts';
import { commonMessages } from '../lib/messages.ts';
import { useProblem } from '../lib/problem.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Empty, Page, Skeleton } from './page.tsx';

/** What a place shows is read with these. */
export type Read = { data: unknown; error: unknown; refetch: () => unknown };
/** Trying again changes nothing about what does not exist, or belongs to others. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status);

type Props = { of: Read | readonly Read[]; lines?: number };

/** What stands in the place of data: boxes until they are loaded, or why they cannot be, with a way to try again if that can help. */
export function Loading({ of, lines = 3 }: Props) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const reads = [of].flat();
  const failed = reads.filter(({ error }) => error != null);
  if (failed.length > 0)
    return (
      <Empty>
        <Notice kind="error">{problem(failed[0]?.error)}</Notice>
        {!failed.every(({ error }) => isFinal(error)) && (
          <Button
            icon={<RefreshCw size={16} />}
            onPress={() => {
              for (const { refetch } of failed) void refetch();
            }}
          >
            {common('retry')}
          </Button>
        )}
      </Empty>
    );
  return reads.some(({ data }) => data === undefined) ? <Skeleton label={common('loading')} lines={lines} /> : null;
}

/** The same for a page whose heading is part of the data. */
export function LoadingPage({ title, of }: Props & { title: string }) {
  const place = <Loading of={of} lines={8} />;
  return [of].flat().some(({ error }) => error != null) ? <Page title={title}>{place}</Page> : place;
}
