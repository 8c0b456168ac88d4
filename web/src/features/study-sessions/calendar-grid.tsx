import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useAccount } from '../../lib/session.ts';
import { byProject } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMedia } from '../../lib/use-media.ts';
import { Loading } from '../../ui/loading.tsx';
import { useColors } from '../projects/project-colors.ts';
import { Agenda } from './agenda.tsx';
import { recordMessages } from './messages.ts';
import { ProjectFilter } from './project-filter.tsx';
import { hasRecordDraft, RecordForm } from './record-form.tsx';
import { RecordPanel } from './record-panel.tsx';
import { type StudyRecord, useRecordsBetween } from './session-queries.ts';
import { TimeGrid } from './time-grid.tsx';
import type { Calendar } from './use-calendar.ts';
import type { Span } from './use-dragging.ts';
import { useMoving } from './use-moving.ts';
import { useRemoval } from './use-removal.ts';
import styles from './week-agenda.module.css';
import { WeekStrip } from './week-strip.tsx';

/** What the form edits. */
type Edited = { record?: StudyRecord; span?: Span };

/** Records by day and hour; a single day also as a list beside it. */
export function CalendarGrid({ calendar }: { calendar: Calendar }) {
  const t = useTexts(recordMessages);
  const { id: userId } = useAccount();
  const isWide = useMedia('(width >= 68.75rem)');
  const { days, dates, projectId, change, now } = calendar;
  const [from, to] = [days.startOf(dates[0] ?? ''), days.startOf(days.plus(dates.at(-1) ?? '', 1))];
  const query = useRecordsBetween(userId, new Date(from).toISOString(), new Date(to).toISOString());
  const { data = [] } = query;
  const isLoaded = query.isSuccess && !query.isPlaceholderData;
  const { hidden, remove } = useRemoval();
  const known = data.filter(({ id }) => !hidden.has(id));
  const { spans, move } = useMoving(known);
  const [edited, setEdited] = useState<Edited | undefined>(() => (hasRecordDraft({}) ? {} : undefined));
  const draft = edited ?? (calendar.isAdding ? {} : undefined);
  const restored =
    draft ?? known.filter((record) => hasRecordDraft({ record })).map((record): Edited => ({ record }))[0];

  const spanOf = (record: StudyRecord): Span =>
    spans.get(record.id) ?? {
      from: Date.parse(record.started_at),
      to: record.ended_at === null ? Math.max(now, Date.parse(record.started_at)) : Date.parse(record.ended_at),
    };
  const colorOf = useColors(data.map(({ project_id }) => project_id));
  const inside = known.map((record) => {
    const span = spanOf(record);
    return { ...record, from: Math.max(span.from, from), to: Math.min(span.to, to) };
  });
  const parts = byProject(inside.filter((record) => record.to > record.from));
  const records = known.filter((record) => projectId === undefined || record.project_id === projectId);

  function close(): void {
    setEdited(undefined);
    change({ add: undefined });
  }
  const selected = restored?.record?.id;
  const edit = (record: StudyRecord) => setEdited({ record });
  const times = restored?.span && {
    from: new Date(restored.span.from).toISOString(),
    to: new Date(restored.span.to).toISOString(),
  };
  const isDay = calendar.view === 'day';
  const hasAgenda = isDay && isWide;
  return (
    <>
      {isDay && <WeekStrip calendar={calendar} />}
      {!isDay && (
        <ProjectFilter
          parts={isLoaded ? parts : undefined}
          colorOf={colorOf}
          chosen={projectId}
          onChoose={(id) => change({ project: id === undefined ? undefined : `${id}` })}
          onSearch={() => change({ view: 'list', search: '' })}
        />
      )}
      {query.isError && <Loading of={query} />}
      <div className={cx(hasAgenda && styles.withAgenda)}>
        <TimeGrid
          calendar={calendar}
          records={records}
          spanOf={spanOf}
          colorOf={colorOf}
          selected={selected}
          draft={restored?.record === undefined ? restored?.span : undefined}
          hasAgenda={hasAgenda}
          onEdit={edit}
          onCreate={(span) => setEdited({ span })}
          onMove={move}
        >
          {restored !== undefined && (
            <RecordPanel
              key={selected ?? restored.span?.from ?? 'new'}
              title={t(restored.record === undefined ? 'add' : 'edit_title')}
              recordId={selected}
              isPhone={calendar.isPhone}
              onClose={close}
            >
              <RecordForm
                {...(restored.record !== undefined && { record: restored.record })}
                times={times}
                onDone={close}
                {...(restored.record !== undefined && {
                  onRemove: () => {
                    if (restored.record !== undefined) remove(restored.record);
                    close();
                  },
                })}
              />
            </RecordPanel>
          )}
        </TimeGrid>
        {hasAgenda && (
          <Agenda
            records={isLoaded ? records : []}
            spanOf={spanOf}
            colorOf={colorOf}
            selected={selected}
            onEdit={edit}
          />
        )}
      </div>
    </>
  );
}
