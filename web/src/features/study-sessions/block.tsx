import type { KeyboardEvent } from 'react';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './blocks.module.css';
import { recordMessages } from './messages.ts';
import type { StudyRecord } from './session-queries.ts';
import { type Dragging, moved, type Span, step } from './use-dragging.ts';

type Props = {
  record: StudyRecord;
  /** When the whole record is, and the part of it on this day. */
  span: Span;
  part: Span;
  dayStart: number;
  now: number;
  /** In pixels. */
  hourHeight: number;
  color: number;
  isSelected: boolean;
  dragging: Dragging;
  onEdit: () => void;
  onMove: (span: Span) => void;
};

const dayMilliseconds = 86_400_000;
/** From these heights on there is room for two and for three lines. */
const [twoLines, threeLines] = [31, 50];

/** One record, or its part on a day, in the colour of its project. */
export function Block({
  record,
  span,
  part,
  dayStart,
  now,
  hourHeight,
  color,
  isSelected,
  dragging,
  onEdit,
  onMove,
}: Props) {
  const t = useTexts(recordMessages);
  const formats = useOwnFormats();
  const isRunning = record.ended_at === null;
  const pixels = (moment: number) => ((moment - dayStart) / 3_600_000) * hourHeight;
  const height = Math.max(18, pixels(part.to) - pixels(part.from) - 2);
  // A short one is higher than its time: the latest ends above the line of now, which would cross its name.
  const top = part.to > now ? pixels(part.from) : Math.min(pixels(part.from), Math.max(0, pixels(now) - height - 2));
  const lines = height >= threeLines ? 3 : height >= twoLines ? 2 : 1;
  const hasNote = lines > 1 && record.note !== '';
  const iso = (moment: number) => new Date(moment).toISOString();
  const length = formats.duration((span.to - span.from) / 1000);
  const times = `${formats.time(iso(span.from))}–${isRunning ? t('running') : formats.time(iso(span.to))}`;

  function onKeyDown(event: KeyboardEvent): void {
    const by = {
      ArrowUp: -step,
      ArrowDown: step,
      ...(!event.shiftKey && { ArrowLeft: -dayMilliseconds, ArrowRight: dayMilliseconds }),
    }[event.key];
    if (by === undefined || isRunning) return;
    event.preventDefault();
    onMove(moved(span, event.shiftKey ? 'end' : 'move', by));
  }
  const edge = (grip: 'start' | 'end') => (
    <span
      className={cx(styles.edge, styles[grip])}
      aria-hidden="true"
      onPointerDown={(event) => dragging.start(event, grip, span, record)}
      {...dragging.handlers}
    />
  );
  return (
    <button
      type="button"
      className={styles.block}
      data-record={record.id}
      data-hue={color}
      data-selected={isSelected || undefined}
      data-running={isRunning || undefined}
      data-lines={lines}
      style={{ top: top + 1, height }}
      aria-label={[
        record.project_name,
        ...(hasNote ? [record.note, length] : [length, record.note]), // what is visible comes first, as it is there
        ...[formats.day(iso(span.from)), times],
      ]
        .filter(Boolean)
        .join(', ')}
      onClick={() => dragging.isClick() && !isRunning && onEdit()}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => (isRunning ? event.stopPropagation() : dragging.start(event, 'move', span, record))}
      {...dragging.handlers}
    >
      {!isRunning && edge('start')}
      <strong>{record.project_name}</strong> {hasNote && <span>{record.note}</span>}{' '}
      {(lines !== 2 || !hasNote) && <span>{length}</span>}
      {!isRunning && edge('end')}
    </button>
  );
}
