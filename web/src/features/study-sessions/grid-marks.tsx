import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './blocks.module.css';
import { recordMessages } from './messages.ts';
import type { Dragged, Span } from './use-dragging.ts';

export const hourMilliseconds = 3_600_000;

/** Shorter breaks are not offered to be filled. */
const leastGap = 45 * 60_000;

const mostGap = 4 * 3_600_000;

type GapProps = { parts: readonly Span[]; start: number; hourHeight: number; onFill: (span: Span) => void };

/** The time between two records, which one press fills. */
export function Gaps({ parts, start, hourHeight, onFill }: GapProps) {
  const t = useTexts(recordMessages);
  const formats = useFormats('UTC');
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  return sorted.map(({ to: from }, index) => {
    const to = sorted[index + 1]?.from ?? from;
    if (to - from < leastGap || to - from > mostGap) return null;
    return (
      <button
        key={from}
        type="button"
        className={styles.gap}
        style={{
          top: ((from - start) / hourMilliseconds) * hourHeight + 3,
          height: ((to - from) / hourMilliseconds) * hourHeight - 6,
        }}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => onFill({ from, to })}
      >
        {t('gap', { duration: formats.duration((to - from) / 1000) })}
      </button>
    );
  });
}

type GhostProps = { span: Dragged | Span | undefined; start: number; end: number; hourHeight: number };

/** What the pointer draws on this day, and then what the form is about. */
export function Ghost({ span, start, end, hourHeight }: GhostProps) {
  const formats = useOwnFormats();
  if (span === undefined || span.from >= end || span.to <= start) return null;
  const [from, to] = [Math.max(span.from, start), Math.min(span.to, end)];
  const time = (moment: number) => formats.time(new Date(moment).toISOString());
  return (
    <span
      className={styles.ghost}
      data-ghost=""
      style={{
        top: ((from - start) / hourMilliseconds) * hourHeight,
        height: ((to - from) / hourMilliseconds) * hourHeight,
      }}
    >
      <strong>{`${time(span.from)}–${time(span.to)}`}</strong>
      <span>{formats.duration((span.to - span.from) / 1000)}</span>
    </span>
  );
}
