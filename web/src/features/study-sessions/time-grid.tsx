import { type PointerEvent, type ReactNode, type TouchEvent, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useAccount } from '../../lib/session.ts';
import { type Stretch, within } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Block } from './block.tsx';
import styles from './calendar.module.css';
import { DayNames } from './day-names.tsx';
import { Gaps, Ghost, hourMilliseconds } from './grid-marks.tsx';
import { recordMessages } from './messages.ts';
import type { StudyRecord } from './session-queries.ts';
import type { Calendar } from './use-calendar.ts';
import { type Span, step, useDragging } from './use-dragging.ts';

type Props = {
  calendar: Calendar;
  records: readonly StudyRecord[];
  spanOf: (record: StudyRecord) => Span;
  colorOf: (projectId: number) => number;
  selected: number | undefined;
  /** A new record whose form is open. */
  draft: Span | undefined;
  /** The day and its total are beside the grid. */
  hasAgenda: boolean;
  onEdit: (record: StudyRecord) => void;
  onCreate: (span: Span) => void;
  onMove: (record: StudyRecord, span: Span, isKey?: boolean) => void;
  /** Shown above the grid, such as a form. */
  children?: ReactNode;
};
/** Without records the grid opens in the morning. */
const morning = 7;
/** The height of an hour follows from the hours that are used, so that a day fits where it can. */
const [leastHeight, mostHeight, leastHours] = [40, 64, 10];
const swipe = 60;

/** The hours of some days with their records, which a pointer or keys can move. */
export function TimeGrid({
  calendar,
  records,
  spanOf,
  colorOf,
  selected,
  draft,
  hasAgenda,
  onEdit,
  onCreate,
  onMove,
  children,
}: Props) {
  const t = useTexts(recordMessages);
  const { day_start_hour: startHour } = useAccount();
  const { days, dates, today, now } = calendar;
  const scroll = useRef<HTMLElement>(null);
  const touched = useRef<{ x: number; y: number }>(undefined);
  const stretches = records.map((record) => ({
    ...spanOf(record),
    record,
    project_id: record.project_id,
    project_name: '',
  }));
  const columns = dates.map((date) => {
    const [start, end] = [days.startOf(date), days.startOf(days.plus(date, 1))];
    const parts = within(stretches, start, end) as (Stretch & { record: StudyRecord })[]; // keeps all fields
    return { date, start, end, parts, seconds: parts.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0) };
  });
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const firstHour = Math.min(
    ...columns.flatMap(({ parts, start }) => parts.map(({ from }) => (from - start) / hourMilliseconds)),
    records.length === 0 ? (morning - startHour + 24) % 24 : 24,
  );
  // With the present, if it is among these days.
  const lastHour = Math.max(
    dates.includes(today) ? (now - days.startOf(today)) / hourMilliseconds : 0,
    ...columns.flatMap(({ parts, start }) => parts.map(({ to }) => (to - start) / hourMilliseconds)),
  );
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => setRoom((scroll.current?.clientHeight ?? 0) - 48), []);
  const isLoaded = records.length > 0;
  const opened = `${dates[0]} ${isLoaded} ${room}`;
  // It stays while these days are shown: moving a record moves nothing else.
  const scale = useRef({ opened: '', hourHeight: leastHeight });
  if (scale.current.opened !== opened) {
    const used = Math.max(leastHours, Math.ceil(lastHour) - Math.floor(firstHour) + 1);
    scale.current = { opened, hourHeight: Math.round(Math.max(leastHeight, Math.min(mostHeight, room / used))) };
  }
  const { hourHeight } = scale.current;
  const dragging = useDragging({ hourHeight, onCreate, onMoved: onMove });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled only when other days are opened
  useLayoutEffect(() => {
    if (scroll.current !== null) scroll.current.scrollTop = Math.max(0, (firstHour - 0.35) * hourHeight);
  }, [opened]);

  // A record that keys moved to another day is drawn anew there, and keeps the focus.
  const followed = useRef<number>(undefined);
  useLayoutEffect(() => {
    const { current: id } = followed;
    followed.current = undefined;
    const block = scroll.current?.querySelector<HTMLElement>(`[data-record="${id}"]`);
    if (block && document.activeElement !== block) block.focus();
  });

  const momentAt = (event: PointerEvent | React.MouseEvent, start: number) => {
    const pixels = event.clientY - event.currentTarget.getBoundingClientRect().top;
    return start + Math.floor(((pixels / hourHeight) * hourMilliseconds) / step) * step;
  };
  function onTouchEnd({ changedTouches: { 0: touch } }: TouchEvent): void {
    const { current: begin } = touched;
    if (begin === undefined || touch === undefined) return;
    const [dx, dy] = [touch.clientX - begin.x, touch.clientY - begin.y];
    if (Math.abs(dx) > swipe && Math.abs(dy) < swipe) calendar.turn(dx < 0 ? 1 : -1);
  }
  const template = `3.25rem repeat(${dates.length}, minmax(0, 1fr))`;
  return (
    <div className={styles.calendar}>
      <p id="calendar-keys" className="visually-hidden">
        {t('grid_keys')}
      </p>
      <section
        ref={scroll}
        className={styles.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it where there is no record to focus
        tabIndex={0}
        aria-label={t('grid')}
        aria-describedby="calendar-keys"
        onTouchStart={({ touches: { 0: touch } }) => {
          touched.current = touch && { x: touch.clientX, y: touch.clientY };
        }}
        onTouchEnd={onTouchEnd}
      >
        <DayNames columns={columns} today={today} template={template} isBeside={hasAgenda} />
        <div
          className={styles.columns}
          style={{ gridTemplateColumns: template, height: 24 * hourHeight, backgroundSize: `100% ${hourHeight}px` }}
        >
          <div className={styles.hours} aria-hidden="true">
            {hours.slice(1).map((hour) => (
              <span key={hour} style={{ top: hour * hourHeight }}>
                {`${String((startHour + hour) % 24).padStart(2, '0')}:00`}
              </span>
            ))}
          </div>
          {columns.map(({ date, start, end, parts }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the button Add record does the same
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above
            <div
              key={date}
              data-day={date}
              className={cx(styles.column, date === today && styles.now)}
              onPointerDown={(event) => {
                const from = momentAt(event, start);
                dragging.start(event, 'new', { from, to: from + step });
              }}
              onClick={(event) => {
                if (event.target !== event.currentTarget || !dragging.isClick()) return;
                const from = momentAt(event, start);
                const next = Math.min(...parts.map((part) => part.from).filter((moment) => moment > from));
                onCreate({ from, to: Math.min(from + 4 * step, next) });
              }}
              {...dragging.handlers}
            >
              {parts.map((part) => (
                <Block
                  key={part.record.id}
                  record={part.record}
                  span={spanOf(part.record)}
                  part={part}
                  dayStart={start}
                  now={now}
                  hourHeight={hourHeight}
                  color={colorOf(part.record.project_id)}
                  isSelected={part.record.id === selected}
                  dragging={dragging}
                  onEdit={() => onEdit(part.record)}
                  onMove={(span) => {
                    followed.current = part.record.id;
                    onMove(part.record, span, true);
                  }}
                />
              ))}
              {dates.length === 1 && <Gaps parts={parts} start={start} hourHeight={hourHeight} onFill={onCreate} />}
              <Ghost span={dragging.dragged ?? draft} start={start} end={end} hourHeight={hourHeight} />
              {now >= start && now < end && (
                <span className={styles.nowLine} style={{ top: ((now - start) / hourMilliseconds) * hourHeight }} />
              )}
            </div>
          ))}
        </div>
      </section>
      {children}
    </div>
  );
}
