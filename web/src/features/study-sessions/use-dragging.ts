import { type PointerEvent, useRef, useState } from 'react';
import type { StudyRecord } from './session-queries.ts';

export type Span = { from: number; to: number };
/** What the pointer changes: a new record, or all or one end of a known one. */
type Grip = 'new' | 'move' | 'start' | 'end';
export type Dragged = Span & { grip: Grip; record?: StudyRecord };

export const step = 15 * 60_000;
const dayMilliseconds = 86_400_000;
/** Movement below this is a click. */
const tolerance = 4;

const rounded = (milliseconds: number) => Math.round(milliseconds / step) * step;

/** The span after an end, or all of it, was moved; it keeps a length of one step at least. */
export function moved({ from, to }: Span, grip: Grip, by: number): Span {
  if (grip === 'move') return { from: from + by, to: to + by };
  return grip === 'start' ? { from: Math.min(from + by, to - step), to } : { from, to: Math.max(to + by, from + step) };
}

type Handlers = {
  /** In pixels. */
  hourHeight: number;
  onCreate: (span: Span) => void;
  onMoved: (record: StudyRecord, span: Span) => void;
};

/** Draws records in the columns of days with a pointer, in steps of 15 minutes. */
export function useDragging({ hourHeight, onCreate, onMoved }: Handlers) {
  const [dragged, setDragged] = useState<Dragged>();
  const begin = useRef<{ x: number; y: number; span: Span; grip: Grip; record?: StudyRecord; width: number }>(
    undefined,
  );
  const wasDragged = useRef(false);

  function start(event: PointerEvent, grip: Grip, span: Span, record?: StudyRecord): void {
    // With a finger the page is scrolled.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    event.stopPropagation();
    const column = event.currentTarget.closest('[data-day]');
    const at = { x: event.clientX, y: event.clientY, span, grip, width: column?.clientWidth ?? 1 };
    begin.current = record === undefined ? at : { ...at, record };
    wasDragged.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  /** What the pointer has drawn up to a position; undefined before it has moved far enough. */
  function draggedTo({ clientX, clientY }: PointerEvent): Dragged | undefined {
    const { current } = begin;
    if (current === undefined) return undefined;
    const [dx, dy] = [clientX - current.x, clientY - current.y];
    if (!wasDragged.current && Math.hypot(dx, dy) < tolerance) return undefined;
    wasDragged.current = true;
    const days = current.grip === 'move' ? Math.round(dx / current.width) * dayMilliseconds : 0;
    const by = days + rounded((dy / hourHeight) * 3_600_000);
    const span =
      current.grip === 'new'
        ? { from: current.span.from + Math.min(0, by), to: current.span.from + Math.max(step, by) }
        : moved(current.span, current.grip, by);
    return { ...span, grip: current.grip, ...(current.record !== undefined && { record: current.record }) };
  }
  const move = (event: PointerEvent) => {
    if (begin.current !== undefined) setDragged(draggedTo(event));
  };
  function end(event: PointerEvent): void {
    if (begin.current === undefined) return; // the event of a block reaches its column too
    // Not the state: the last movement may not be rendered yet.
    const result = draggedTo(event);
    begin.current = undefined;
    setDragged(undefined);
    if (result === undefined) return;
    if (result.record === undefined) onCreate(result);
    else onMoved(result.record, result);
  }
  const cancel = () => {
    begin.current = undefined;
    setDragged(undefined);
  };
  /** Whether the click that follows belongs to a movement. */
  const isClick = () => !wasDragged.current;
  return { dragged, start, isClick, handlers: { onPointerMove: move, onPointerUp: end, onPointerCancel: cancel } };
}
export type Dragging = ReturnType<typeof useDragging>;
