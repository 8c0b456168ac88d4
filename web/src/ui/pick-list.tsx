import { Check, Minus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { cx } from '../lib/cx.ts';
import { useMarks } from '../lib/marks.ts';
import styles from './pick-list.module.css';

/** A row's texts; `isMixed` shows a partly filled box, `hue` a strip of that colour; `isGroup` stands for several items. */
export type Row = {
  name: string;
  hue?: number;
  state: string;
  wanted?: string;
  isMixed?: boolean;
  isGroup?: boolean;
};

type Props<T> = {
  label: string;
  items: readonly T[];
  picked: ReadonlySet<number>;
  onPick: (ids: readonly number[], isOn: boolean) => void;
  rowOf: (item: T) => Row;
  isDisabled: boolean;
  empty: ReactNode;
};

/** A virtual list to pick from. Picked items stay picked while they are filtered out. */
export function PickList<T extends { id: number }>(props: Props<T>) {
  const { label, items, picked, onPick, isDisabled, empty } = props;
  const marks = useMarks();
  const rowOf = useDeferredValue(props.rowOf); // a click shows at once, the texts of a thousand rows later
  const rows = useRows(items, rowOf);
  const isShiftClick = useRef(false);
  const last = useRef<number>(undefined);

  function choose(ids: readonly number[], isOn: boolean): void {
    const [first] = ids;
    if (first === undefined) return;
    const isRange = isShiftClick.current && isOn && ids.length === 1;
    onPick(isRange ? between(last.current ?? first, first).filter((id) => !picked.has(id)) : ids, isOn);
    last.current = first;
  }
  /** All ids from one to the other, in list order. */
  function between(from: number, to: number): number[] {
    const ids = items.map(({ id }) => id);
    const end = ids.indexOf(to);
    const start = ids.includes(from) ? ids.indexOf(from) : end;
    return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
  }

  return (
    // The library extends ranges with arrow keys only; with a pointer it does not know where a range began.
    <div
      className={styles.frame}
      onPointerDownCapture={(event) => {
        isShiftClick.current = event.shiftKey;
      }}
      onKeyDownCapture={() => {
        isShiftClick.current = false;
      }}
    >
      <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: 48 }}>
        <GridList
          aria-label={label}
          className={cx(styles.grid)}
          items={rows}
          selectionMode={isDisabled ? 'none' : 'multiple'}
          escapeKeyBehavior="none"
          selectedKeys={picked}
          onSelectionChange={(keys) => {
            const now = keys === 'all' ? items.map(({ id }) => id) : [...keys].map(Number);
            choose(
              now.filter((id) => !picked.has(id)),
              true,
            );
            if (keys !== 'all')
              choose(
                [...picked].filter((id) => !keys.has(id)),
                false,
              );
          }}
          renderEmptyState={() => <div className={styles.empty}>{empty}</div>}
        >
          {({ name, hue, state, wanted, isMixed = false, isGroup = false }) => {
            const text = marks.facts([name, state, wanted]);
            return (
              <GridListItem
                textValue={name}
                aria-label={text}
                className={cx(styles.row, isMixed && styles.mixed, isGroup && styles.group)}
                data-hue={hue}
              >
                <span className={styles.box} aria-hidden="true">
                  {isMixed ? <Minus size={14} strokeWidth={3} /> : <Check size={14} strokeWidth={3} />}
                </span>
                <span className={styles.name}>{name}</span>
                <span className={styles.state}>
                  {state}
                  {wanted !== undefined && <strong> → {wanted}</strong>}
                </span>
              </GridListItem>
            );
          }}
        </GridList>
      </Virtualizer>
    </div>
  );
}

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
