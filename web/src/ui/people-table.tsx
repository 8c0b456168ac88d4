import { memo, type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { cx } from '../lib/cx.ts';
import table from './data-table.module.css';
import styles from './people-table.module.css';
import { Avatar } from './person.tsx';
import { SortColumn } from './sort-column.tsx';
import { Tick } from './tick.tsx';

/** A person as the first cell of a row. Without `to`, the row opens nothing. */
type Who = { id: number; name: string; to?: string | undefined; detail?: ReactNode };

/** A column after the name. On a phone a row is a card of two lines, and columns without a place there are left out. */
export type PersonColumn<P> = {
  id: string;
  text: string;
  place?: 'corner' | 'state' | 'side' | 'act' | undefined;
  className?: string | undefined;
  cell: (person: P) => ReactNode;
};

type Sorting = { order: 'asc' | 'desc' | undefined; onSort: (() => void) | undefined };
type Picking = {
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  all: string;
  one: (name: string) => string;
};
type Props<P> = {
  label: string;
  /** The header of the names. */
  title: string;
  people: readonly P[];
  /** The same function and columns at every rendering, so that picking one of hundreds draws only that row again. */
  whoIs: (person: P) => Who;
  columns: readonly PersonColumn<P>[];
  sorting?: ((column: string) => Sorting) | undefined;
  picking?: Picking | undefined;
  isBusy?: boolean;
};

/** The column of the names, for `sorting`. */
const nameColumn = 'display_name';

/** People to open, and to sort and select where that is offered; Shift selects a range. */
export function PeopleTable<P>({ label, title, people, whoIs, columns, sorting, picking, isBusy }: Props<P>) {
  const ids = people.map((person) => whoIs(person).id);
  const pick = usePick(ids, picking);
  const head = (id: string, text: string, className?: string) =>
    text === '' ? (
      <td key={id} className={className} />
    ) : (
      <SortColumn
        key={id}
        text={text}
        className={className}
        {...(sorting?.(id) ?? { order: undefined, onSort: undefined })}
      />
    );
  return (
    <table className={cx(table.table, styles.people)} aria-label={label} aria-busy={isBusy}>
      <thead>
        <tr>
          {picking !== undefined && (
            <td className={cx(styles.check, 'no-print')}>
              <Tick
                label={picking.all}
                isOn={ids.length > 0 && ids.every((id) => picking.picked.has(id))}
                isPart={ids.some((id) => picking.picked.has(id))}
                onChange={(isOn) => pick(ids, isOn)}
              />
            </td>
          )}
          {head(nameColumn, title)}
          {columns.map(({ id, text, className }) => head(id, text, className))}
        </tr>
      </thead>
      <tbody>
        {people.map((person, index) => (
          <Row
            key={ids[index]}
            person={person}
            whoIs={whoIs as (person: unknown) => Who}
            columns={columns as readonly PersonColumn<unknown>[]}
            pickLabel={picking?.one(whoIs(person).name)}
            isPicked={picking?.picked.has(ids[index] ?? 0)}
            onPick={pick}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  person: unknown;
  whoIs: (person: unknown) => Who;
  columns: readonly PersonColumn<unknown>[];
  pickLabel: string | undefined;
  isPicked: boolean | undefined;
  onPick: (ids: readonly number[], isOn: boolean, isRange?: boolean) => void;
};

const Row = memo(function Row({ person, whoIs, columns, pickLabel, isPicked, onPick }: RowProps) {
  const [, navigate] = useLocation();
  const { id, name, to, detail } = whoIs(person);
  return (
    // The link in the row is for the keyboard.
    <tr
      className={to === undefined ? undefined : table.opens}
      aria-selected={isPicked}
      onClick={({ target, ctrlKey, metaKey }) => {
        if (to === undefined || !(target instanceof Element) || !target.closest('tr')) return;
        if (target.closest('a, button, input, label, [role="menu"]') !== null) return;
        if (ctrlKey || metaKey) window.open(to);
        else if (getSelection()?.isCollapsed !== false) navigate(to);
      }}
    >
      {pickLabel !== undefined && (
        <td className={cx(styles.check, 'no-print')}>
          <Tick label={pickLabel} isOn={isPicked === true} onChange={(isOn, isRange) => onPick([id], isOn, isRange)} />
        </td>
      )}
      <th scope="row" className={styles.who}>
        <span className={table.named}>
          <Avatar id={id} name={name} size="small" />
          {to === undefined ? <span>{name}</span> : <Link href={to}>{name}</Link>}
          {detail !== undefined && <small>{detail}</small>}
        </span>
      </th>
      {columns.map(({ id: column, place, className, cell }) => (
        <td key={column} className={cx(className, place && styles[place])}>
          {cell(person)}
        </td>
      ))}
    </tr>
  );
});

/** The same function at every rendering, so that other rows need not be drawn again. */
function usePick(ids: readonly number[], picking: Picking | undefined): RowProps['onPick'] {
  const last = useRef<number>(undefined);
  const latest = useRef({ ids, picking });
  latest.current = { ids, picking };
  return useRef((given: readonly number[], isOn: boolean, isRange = false): void => {
    const { ids: all, picking: current } = latest.current;
    const next = new Set(current?.picked);
    const [id = 0] = given;
    const [from, to] = [all.indexOf(last.current ?? id), all.indexOf(id)].sort((a, b) => a - b);
    const range = isRange && from !== undefined && from >= 0 ? all.slice(from, (to ?? 0) + 1) : given;
    for (const each of range) isOn ? next.add(each) : next.delete(each);
    if (given.length === 1) last.current = id;
    current?.onPick(next);
  }).current;
}
