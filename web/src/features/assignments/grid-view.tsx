import { Check, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './assign.module.css';
import type { Project, Student } from './board-queries.ts';
import { assignMessages } from './messages.ts';
import type { Board, Pair } from './use-board.ts';

const maxSize = 40;

type Position = readonly [row: number, column: number];
type Props = { board: Board; projects: readonly Project[]; students: readonly Student[]; empty: ReactNode };

/** A student in each row and a project in each column; toggling stages a change, as in the lists. */
export function GridView({ board, projects, students, empty }: Props) {
  const t = useTexts(assignMessages);
  const table = useRef<HTMLTableElement>(null);
  /** The active cell, and the anchor of a Shift selection. */
  const [[active, anchor], setPositions] = useState<readonly [Position, Position]>([origin, origin]);
  const lastRow = students.length - 1;
  const lastColumn = projects.length - 1;
  if (lastRow < 0 || lastColumn < 0) return <div className={cx(styles.whole, styles.empty)}>{empty}</div>;
  if (students.length > maxSize || projects.length > maxSize)
    return (
      <p role="status" className={cx(styles.whole, styles.empty)}>
        {t('too_many', { most: maxSize, projects: projects.length, students: students.length })}
      </p>
    );
  const within = ([row, column]: Position): Position => [Math.min(row, lastRow), Math.min(column, lastColumn)];
  const [from, to] = [within(anchor), within(active)];
  const [top, bottom] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const [left, right] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];

  function go(position: Position, isRange: boolean): void {
    const next: Position = within([Math.max(0, position[0]), Math.max(0, position[1])]);
    setPositions([next, isRange ? from : next]);
    table.current?.rows[next[0] + 1]?.cells[next[1] + 1]?.focus();
  }

  /** All marked cells take the new state of the active cell. */
  function toggle([row, column]: Position, isRange: boolean): void {
    const pairOf = (r: number, c: number): Pair | undefined => {
      const [student, project] = [students[r], projects[c]];
      return student && project && { user: student.id, project };
    };
    const pair = pairOf(row, column);
    if (pair === undefined || board.progress !== undefined) return;
    const marked = students
      .slice(top, bottom + 1)
      .flatMap(({ id }) => projects.slice(left, right + 1).map((project) => ({ user: id, project })));
    board.stagePairs(isRange ? marked : [pair], !board.willBeIn(pair));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const [row, column] = to;
    const isWide = event.ctrlKey || event.metaKey;
    const positions: Readonly<Record<string, Position>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [isWide ? 0 : row, 0],
      End: [isWide ? lastRow : row, lastColumn],
    };
    const position = positions[event.key];
    if (event.key === ' ') toggle(to, true);
    else if (position !== undefined) go(position, event.shiftKey);
    else return;
    event.preventDefault();
  }

  function onClick({ target, shiftKey }: MouseEvent): void {
    const cell = target instanceof Element ? target.closest('td') : null;
    const row = cell?.closest('tr')?.rowIndex ?? 0;
    if (cell === null || row === 0) return;
    const position: Position = [row - 1, cell.cellIndex - 1];
    go(position, shiftKey);
    if (!shiftKey) toggle(position, false);
  }

  const statesOf = (user: number) =>
    projects
      .map((project) => stateOf(project.assigned_user_ids.includes(user), board.willBeIn({ user, project })))
      .join('');
  return (
    <div className={cx(styles.whole, styles.frame, styles.matrix)}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA grid pattern allows it
        role="grid"
        aria-label={t('grid_name')}
        aria-multiselectable
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <thead>
          <tr>
            <th scope="col">{t('students')}</th>
            {projects.map(({ id, name }) => (
              <th key={id} scope="col" title={name}>
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map(({ id, display_name }, row) => (
            <Row
              key={id}
              name={display_name}
              states={statesOf(id)}
              focusable={to[0] === row ? to[1] : undefined}
              marked={row >= top && row <= bottom && (top < bottom || left < right) ? `${left} ${right}` : ''}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const origin: Position = [0, 0];
const states = { '=': 'is_in', '.': 'is_out', '+': 'to_add', '-': 'to_remove' } as const;
type State = keyof typeof states;
const icons = { '=': Check, '.': undefined, '+': Plus, '-': Minus } as const;
const stateOf = (isIn: boolean, willBeIn: boolean): State =>
  isIn === willBeIn ? (isIn ? '=' : '.') : willBeIn ? '+' : '-';

type RowProps = {
  name: string;
  /** One character per cell: as a string, memo() skips unchanged rows. */
  states: string;
  focusable: number | undefined;
  /** The first and the last column of the range. */
  marked: string;
};

const Row = memo(function Row({ name, states: all, focusable, marked }: RowProps) {
  const t = useTexts(assignMessages);
  const [first = 1, last = 0] = marked === '' ? [] : marked.split(' ').map(Number);
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      {[...all].map((state, column) => {
        const known = state as State; // created by stateOf
        const Icon = icons[known];
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
            key={column}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
            role="gridcell"
            tabIndex={column === focusable ? 0 : -1}
            aria-label={t(states[known])}
            aria-selected={column >= first && column <= last}
            data-state={state}
          >
            {Icon !== undefined && <Icon size={16} strokeWidth={3} />}
          </td>
        );
      })}
    </tr>
  );
});
