import { RotateCw } from 'lucide-react';
import { commonMessages } from '../lib/messages.ts';
import { useProblem } from '../lib/problem.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Empty } from './page.tsx';

/** Data that could not be loaded: why, and a way to try again. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  return (
    <Empty>
      <Notice kind="error">{problem(error)}</Notice>
      <Button icon={<RotateCw size={16} aria-hidden="true" />} onPress={onRetry}>
        {common('retry')}
      </Button>
    </Empty>
  );
}
