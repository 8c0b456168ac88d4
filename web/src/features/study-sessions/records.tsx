import { Download, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { createDays } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { useColors } from '../projects/project-colors.ts';
import { useActiveProjects } from '../projects/project-queries.ts';
import { groupByDay } from './by-day.ts';
import { DayFilter, useDays } from './day-filter.tsx';
import { recordMessages } from './messages.ts';
import { Entry } from './record-entry.tsx';
import { hasRecordDraft, RecordForm } from './record-form.tsx';
import styles from './records.module.css';
import { exportRecords, reaches, useRecords, useTotal } from './session-queries.ts';
import { useRemoval } from './use-removal.ts';

/** The user's records, grouped by day with totals and editable in place. */
export function Records({ projectId }: { projectId?: number }) {
  const t = useTexts(recordMessages);
  const { id: userId, timezone, role, day_start_hour: dayStart } = useAccount();
  const formats = useFormats(timezone);
  const [params, setParams] = useSearchParams();
  const [isRestored, setRestored] = useState(() => hasRecordDraft({ projectId }));
  const isAdding = isRestored || params.has('add');
  const { from, to, period, isFiltered, project, search, tag } = useDays();
  const filtered = projectId ?? project;
  const settled = useDebounced(search, 200);
  const { data: projects } = useActiveProjects();
  const { hidden, remove } = useRemoval();
  const list = useRecords(
    userId,
    filtered,
    period,
    projectId === undefined ? settled : '',
    projectId === undefined ? tag : '',
  );
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = list;
  const all = (data?.pages ?? []).flatMap((page) => page.sessions);
  const records = all.filter((record) => !hidden.has(record.id) && reaches(record, period));
  const colorOf = useColors(projectId === undefined ? records.map((record) => record.project_id) : []);
  const days = groupByDay(records, createDays(timezone, dayStart), Date.parse(outbox.now()), period, hasNextPage);
  const count = data?.pages[0]?.pagination.total ?? 0;
  const total = useTotal(userId, filtered, { from, to }, isFiltered && hasNextPage && search === '' && tag === '');
  const seconds = days.reduce((sum, day) => sum + (day.seconds ?? 0), 0);

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

  // The calendar and the page of an active project have the button above.
  const isAddingAbove = projectId === undefined || projects?.some(({ id }) => id === projectId) !== false;

  const exporting = useAction(() => exportRecords(userId, filtered, period, projectId === undefined ? tag : ''));
  const actions = (
    <div className={cx('buttons', 'no-print')}>
      {role === 'user' && !isAdding && !isAddingAbove && (
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
  return (
    <Card title={t(projectId === undefined ? 'own' : 'records')} actions={actions}>
      {projectId === undefined && <DayFilter />}
      {isAdding && <RecordForm {...(projectId !== undefined && { projectId })} onDone={() => setAdding(false)} />}
      <Problem error={exporting.error} />
      <Loading of={list} lines={5} />
      {data !== undefined && records.length === 0 && !isAdding && (
        <Empty>
          <p>{t(isFiltered ? 'none_then' : 'none')}</p>
        </Empty>
      )}
      {isFiltered && records.length > 0 && (
        <p role="status" className={styles.sum}>
          {hasNextPage
            ? total === undefined
              ? t('count', { count })
              : t('total', { count, duration: formats.hours(total) })
            : t('total', { count: records.length, duration: formats.duration(seconds) })}
        </p>
      )}
      {days.map(({ day, seconds: ofDay, entries }) => (
        <section key={day} className={styles.day} aria-label={formats.dayWithYear(`${day}T12:00Z`)}>
          <h3>
            <span>{formats.dayWithYear(`${day}T12:00Z`)}</span>
            {ofDay !== undefined && <span>{formats.duration(ofDay)}</span>}
          </h3>
          <ul>
            {entries.map((record) => (
              <Entry
                key={record.id}
                record={record}
                formats={formats}
                {...(projectId === undefined && { hue: colorOf(record.project_id) })}
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
