import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './pick-list.module.css';
import { Line, Nothing, type Row } from './pick-row.tsx';
import { rowHeight, useDrawnRows } from './use-drawn-rows.tsx';
import { useTypeahead } from './use-typeahead.ts';

type Props<T> = {
  label: string;
  items: readonly T[];
  picked: ReadonlySet<number>;
  onPick: (ids: readonly number[], isOn: boolean) => void;
  rowOf: (item: T) => Row;
  isDisabled: boolean;
  empty: ReactNode;
};

/** A list to pick from. Picked items stay picked while they are filtered out. */
export function PickList<T extends { id: number }>(props: Props<T>) {
  const { label, items, rowOf, picked, onPick, isDisabled, empty } = props;
  const rows = useRows(items, rowOf);
  const grid = useRef<HTMLDivElement>(null);
  const drawn = useDrawnRows(rows.length);
  const find = useTypeahead();
  const [current, setCurrent] = useState<number>();
  /** Where a range begins. */
  const last = useRef<number>(undefined);
  const indexOf = (id: number | undefined) => items.findIndex((item) => item.id === id);

  function choose(ids: readonly number[], isOn: boolean): void {
    const changed = ids.filter((id) => picked.has(id) !== isOn);
    if (!isDisabled && changed.length > 0) onPick(changed, isOn);
  }
  function press(index: number, isRange: boolean): void {
    const id = items[index]?.id;
    if (id === undefined) return;
    const from = isRange && !picked.has(id) ? indexOf(last.current) : -1;
    const [start, end] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    choose(
      items.slice(start, end + 1).map((item) => item.id),
      !picked.has(id),
    );
    last.current = id;
  }
  function go(index: number): void {
    if (index >= drawn.count) flushSync(() => drawn.atLeast(index + 1));
    grid.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 1}"]`)?.focus();
  }
  /** Picks the row if it is farther from the beginning of the range; otherwise the row before is no longer in the range. */
  function extend(from: number, to: number): void {
    last.current ??= items[from]?.id;
    const start = indexOf(last.current);
    const isFarther = Math.abs(to - start) > Math.abs(from - start);
    choose(
      items
        .slice(isFarther ? to : from)
        .slice(0, 1)
        .map(({ id }) => id),
      isFarther,
    );
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, shiftKey, currentTarget } = event;
    const from = Math.max(0, indexOf(current));
    const page = Math.max(1, Math.floor(currentTarget.clientHeight / rowHeight) - 1);
    const positions: Readonly<Record<string, number>> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: rows.length - 1,
    };
    const names = rows.map(({ name }) => name);
    const position = positions[key] ?? find(event, names, from);
    if (position !== undefined) {
      const to = Math.max(0, Math.min(position, rows.length - 1));
      if (shiftKey && to !== from && key.startsWith('Arrow')) extend(from, to);
      go(to);
    } else if (key === ' ') press(from, false);
    else if (key === 'a' && (event.ctrlKey || event.metaKey))
      choose(
        items.map(({ id }) => id),
        true,
      );
    else return;
    event.preventDefault();
  }

  const reached = indexOf(current) < 0 ? rows[0]?.id : current;
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be laid out as a list */}
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={rows.length}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => setCurrent(items[indexAt(target)]?.id)}
        onClick={({ target, shiftKey }) => press(indexAt(target), shiftKey)}
      >
        {rows.slice(0, drawn.count).map((row, index) => (
          <Line
            key={row.id}
            row={row}
            index={index}
            isPicked={isDisabled ? undefined : picked.has(row.id)}
            isReached={row.id === reached}
          />
        ))}
        {drawn.rest}
        {rows.length === 0 && <Nothing>{empty}</Nothing>}
      </div>
    </div>
  );
}

const indexAt = (target: EventTarget) =>
  target instanceof Element ? Number(target.closest('[role=row]')?.ariaRowIndex ?? 0) - 1 : -1;

/** Unchanged rows keep their object identity, so that the list rerenders only changed ones. */
function useRows<T extends { id: number }>(items: readonly T[], rowOf: (item: T) => Row) {
  const before = useRef<ReadonlyMap<number, Row & { id: number }>>(new Map());
  return useMemo(() => {
    const rows = items.map((item) => {
      const row = { id: item.id, ...rowOf(item) };
      const known = before.current.get(item.id);
      return known !== undefined && isSame(known, row) ? known : row;
    });
    before.current = new Map(rows.map((row) => [row.id, row]));
    return rows;
  }, [items, rowOf]);
}

const isSame = (one: Row, other: Row) =>
  one.name === other.name &&
  one.hue === other.hue &&
  one.state === other.state &&
  one.wanted === other.wanted &&
  one.isMixed === other.isMixed &&
  one.isGroup === other.isGroup;
