import { useState } from 'react';
import { isApiError } from '../../lib/api.ts';
import { recordsChanged } from '../../lib/freshness.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { recordMessages } from './messages.ts';
import { deleteRecord, type StudyRecord } from './session-queries.ts';

/** Hides a record at once and deletes it when Undo expires; closing the tab before that does not delete it. */
export function useRemoval() {
  const t = useTexts(recordMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());

  function remove(record: StudyRecord): void {
    setHidden((ids) => new Set(ids).add(record.id));
    const show = () => setHidden((ids) => new Set([...ids].filter((id) => id !== record.id)));
    let isUndone = false;
    const undo = () => {
      isUndone = true;
      show();
    };
    toast({ text: t('removed'), undo }, () => {
      if (isUndone) return;
      deleteRecord(record).catch((failure: unknown) => {
        show();
        const isChanged = isApiError(failure, 'PRECONDITION_FAILED');
        if (isChanged) void recordsChanged();
        toast({ text: isChanged ? common('changed_meanwhile') : problem(failure) });
      });
    });
  }
  return { hidden, remove };
}
