import { RotateCw } from 'lucide-react';
import { commonMessages } from '../lib/messages.ts';
import { useProblem } from '../lib/problem.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Empty, Page, Skeleton } from './page.tsx';

/** What a place shows is read with these. */
export type Read = { data: unknown; error: unknown; refetch: () => unknown };
type Props = { of: Read | readonly Read[]; lines?: number };

/** What stands in the place of data: boxes until they are loaded, or why they cannot be, with a way to try again. */
export function Loading({ of, lines = 3 }: Props) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const reads = [of].flat();
  const failed = reads.filter(({ error }) => error != null);
  if (failed.length > 0)
    return (
      <Empty>
        <Notice kind="error">{problem(failed[0]?.error)}</Notice>
        <Button
          icon={<RotateCw size={16} aria-hidden="true" />}
          onPress={() => {
            for (const { refetch } of failed) void refetch();
          }}
        >
          {common('retry')}
        </Button>
      </Empty>
    );
  return reads.some(({ data }) => data === undefined) ? <Skeleton label={common('loading')} lines={lines} /> : null;
}

/** The same for a page whose heading is part of the data. */
export function LoadingPage({ title, of }: Props & { title: string }) {
  const place = <Loading of={of} lines={8} />;
  return [of].flat().some(({ error }) => error != null) ? <Page title={title}>{place}</Page> : place;
}
