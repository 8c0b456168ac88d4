import { ChevronLeft, ChevronRight, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { hueOf } from '../../lib/hue.ts';
import { useMarks } from '../../lib/marks.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { byProject } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Deferred, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import styles from './calendar.module.css';
import { recordMessages } from './messages.ts';
import { ProjectFilter } from './project-filter.tsx';
import { hasRecordDraft, RecordForm } from './record-form.tsx';
import { Records } from './records.tsx';
import { type StudyRecord, useRecordsBetween } from './session-queries.ts';
import { TimeGrid } from './time-grid.tsx';
import { type Calendar, calendarViews, useCalendar } from './use-calendar.ts';
import type { Span } from './use-dragging.ts';
import { useMoving } from './use-moving.ts';
import { useRemoval } from './use-removal.ts';

/** Records as a day, a week or a list. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function RecordsPage() {
  const t = useTexts(recordMessages);
  const marks = useMarks();
  const plain = useFormats('UTC'); // dates have no time
  const { role } = useAccount();
  const calendar = useCalendar();
  const { view, dates, change } = calendar;
  const isGrid = view !== 'list';
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const shown = isGrid ? (first === last ? plain.longDay(first) : plain.longDates(first, last)) : t('title');
  const add = () => change({ add: '' });
  useShortcuts(role === 'user' && isGrid ? { [shortcuts.record]: add } : {});
  return (
    <Page
      title={t('title')}
      heading={
        <>
          {isGrid && <span className="visually-hidden">{`${t('title')}${marks.comma}`}</span>}
          {shown}
        </>
      }
      beside={
        isGrid ? (
          <div className={styles.turn}>
            <Button aria-label={t('before')} icon={<ChevronLeft size={18} />} onPress={() => calendar.turn(-1)} />
            <Button onPress={calendar.goToday}>{t('today')}</Button>
            <Button aria-label={t('after')} icon={<ChevronRight size={18} />} onPress={() => calendar.turn(1)} />
          </div>
        ) : undefined
      }
      actions={
        <div className={styles.head}>
          <ViewSwitch
            label={t('view')}
            options={calendarViews.map((name) => [name, t(name)])}
            value={view}
            onChange={(name) => change({ view: name, from: undefined, to: undefined, search: undefined })}
          />
          {isGrid && role === 'user' && (
            <Button look="primary" icon={<Plus size={18} aria-hidden="true" />} onPress={add}>
              <span className={styles.addText}>{t('add')}</span>
            </Button>
          )}
        </div>
      }
    >
      <Deferred key={isGrid ? 'grid' : 'list'}>{isGrid ? <Grid calendar={calendar} /> : <Records />}</Deferred>
    </Page>
  );
}

/** What the form edits. */
type Edited = { record?: StudyRecord; span?: Span };

function Grid({ calendar }: { calendar: Calendar }) {
  const t = useTexts(recordMessages);
  const problem = useProblem();
  const { id: userId } = useAccount();
  const { days, dates, projectId, change, now } = calendar;
  const [from, to] = [days.startOf(dates[0] ?? ''), days.startOf(days.plus(dates.at(-1) ?? '', 1))];
  const query = useRecordsBetween(userId, new Date(from).toISOString(), new Date(to).toISOString());
  const { data = [], error } = query;
  const isLoaded = query.isSuccess && !query.isPlaceholderData;
  const { data: projects = [] } = useActiveProjects();
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
  const colors = new Map(projects.map(({ id, color }) => [id, color]));
  const colorOf = (id: number) => colors.get(id) ?? hueOf(id);
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
  const start = restored?.record === undefined ? restored?.span?.from : spanOf(restored.record).from;
  const column = start === undefined ? 0 : dates.indexOf(days.dateOf(start));
  const times = restored?.span && {
    from: new Date(restored.span.from).toISOString(),
    to: new Date(restored.span.to).toISOString(),
  };
  return (
    <>
      <ProjectFilter
        parts={isLoaded ? parts : undefined}
        colorOf={colorOf}
        chosen={projectId}
        onChoose={(id) => change({ project: id === undefined ? undefined : `${id}` })}
        onSearch={() => change({ view: 'list', search: '' })}
      />
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      <TimeGrid
        calendar={calendar}
        records={records}
        spanOf={spanOf}
        colorOf={colorOf}
        selected={restored?.record?.id}
        onEdit={(record) => setEdited({ record })}
        onCreate={(span) => setEdited({ span })}
        onMove={move}
      >
        {restored !== undefined && (
          <section
            key={restored.record?.id ?? start ?? 'new'}
            className={styles.panel}
            data-side={column > dates.length / 2 ? 'start' : undefined}
            aria-label={t(restored.record === undefined ? 'add' : 'edit_title')}
          >
            <div className={styles.panelHead}>
              <h2>{t(restored.record === undefined ? 'add' : 'edit_title')}</h2>
              <Button look="quiet" aria-label={t('close')} icon={<X size={18} />} onPress={close} />
            </div>
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
          </section>
        )}
      </TimeGrid>
    </>
  );
}
