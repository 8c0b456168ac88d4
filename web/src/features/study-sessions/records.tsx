import { Download, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { isApiError } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { type Formats, useFormats } from '../../lib/format.ts';
import { recordsChanged } from '../../lib/freshness.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Skeleton } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayFilter, useDays } from './day-filter.tsx';
import { recordMessages } from './messages.ts';
import { Entry } from './record-entry.tsx';
import { hasRecordDraft, RecordForm } from './record-form.tsx';
import styles from './records.module.css';
import { deleteRecord, exportRecords, reaches, type StudyRecord, useRecords } from './session-queries.ts';

/** The user's records, grouped by day with totals and editable in place. */
export function Records({ projectId }: { projectId?: number }) {
  const t = useTexts(recordMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { id: userId, timezone, role } = useAccount();
  const formats = useFormats(timezone);
  const [params, setParams] = useSearchParams();
  const [isRestored, setRestored] = useState(() => hasRecordDraft({ projectId }));
  const isAdding = isRestored || params.has('add');
  const { period, isFiltered } = useDays();
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useRecords(userId, projectId, period);
  const all = (data?.pages ?? []).flatMap((page) => page.sessions);
  const records = all.filter((record) => !hidden.has(record.id) && reaches(record, period));

  /** Stored in the URL, so that other pages can link to the form. */
  function setAdding(isOn: boolean): void {
    setRestored(false);
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (isOn) next.set('add', '');
        else next.delete('add');
        return next;
      },
      { replace: true },
    );
  }
  useShortcuts(role === 'user' ? { [shortcuts.record]: () => setAdding(true) } : {});

  /** Hides the record at once and deletes it when Undo expires; closing the tab before that does not delete it. */
  function remove(record: StudyRecord): void {
    setHidden((ids) => new Set(ids).add(record.id));
    const show = () => setHidden((ids) => new Set([...ids].filter((id) => id !== record.id)));
    let isUndone = false;
    const undo = () => {
      isUndone = true;
      show();
    };
    toast({ text: t('removed'), action: { text: t('undo'), run: undo } }, () => {
      if (isUndone) return;
      deleteRecord(record).catch((failure: unknown) => {
        show();
        const isChanged = isApiError(failure, 'PRECONDITION_FAILED');
        if (isChanged) void recordsChanged();
        toast({ text: isChanged ? common('changed_meanwhile') : problem(failure) });
      });
    });
  }

  const exporting = useAction(() => exportRecords(userId, projectId, period));
  const actions = (
    <div className={cx(styles.actions, 'no-print')}>
      {role === 'user' && !isAdding && (
        <Button icon={<Plus size={18} />} onPress={() => setAdding(true)}>
          {t('add')}
        </Button>
      )}
      {records.length > 0 && (
        <Button
          look="quiet"
          icon={<Download size={18} />}
          isPending={exporting.isRunning}
          onPress={() => void exporting.run()}
        >
          {t('export')}
        </Button>
      )}
      {role === 'user' && projectId === undefined && (
        <LinkButton look="quiet" href={href('importRecords')} icon={<Upload size={18} />}>
          {t('import')}
        </LinkButton>
      )}
    </div>
  );
  const failure = error ?? exporting.error;
  return (
    <Card title={t(projectId === undefined ? 'own' : 'title')} actions={actions}>
      {projectId === undefined && <DayFilter />}
      {isAdding && <RecordForm {...(projectId !== undefined && { projectId })} onDone={() => setAdding(false)} />}
      {failure != null && <Notice kind="error">{problem(failure)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={5} />}
      {data !== undefined && records.length === 0 && !isAdding && (
        <Empty>
          <p>{t(isFiltered ? 'none_then' : 'none')}</p>
        </Empty>
      )}
      {byDay(records, formats).map(({ day, label, seconds, entries }) => (
        <section key={day} className={styles.day} aria-label={label}>
          <h3>
            <span>{label}</span>
            <span>{formats.duration(seconds)}</span>
          </h3>
          <ul>
            {entries.map((record) => (
              <Entry
                key={record.id}
                record={record}
                formats={formats}
                hasProject={projectId === undefined}
                onRemove={remove}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <div className={styles.more}>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('earlier')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Groups records by day, with totals. */
function byDay(records: readonly StudyRecord[], formats: Formats) {
  const grouped = new Map<string, StudyRecord[]>();
  for (const record of records) {
    const day = formats.isoDay(record.started_at);
    grouped.set(day, [...(grouped.get(day) ?? []), record]);
  }
  return [...grouped].map(([day, entries]) => ({
    day,
    entries,
    label: formats.day(entries[0]?.started_at ?? day),
    seconds: entries.reduce((sum, entry) => sum + entry.duration_seconds, 0),
  }));
}
