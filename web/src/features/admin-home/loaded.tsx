import type { ReactNode } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/page.tsx';

type Read<T> = { data: T | undefined; error: unknown };

/** Renders a query's data, a skeleton while it loads, or its error. */
export function Loaded<T>({ of: { data, error }, children }: { of: Read<T>; children: (data: T) => ReactNode }) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  return (
    <>
      {error != null && <Notice kind="error">{problem(error)}</Notice>}
      {data === undefined ? error == null && <Skeleton label={common('loading')} /> : children(data)}
    </>
  );
}
