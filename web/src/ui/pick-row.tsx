import { Check, Minus } from 'lucide-react';
import { memo, type ReactNode } from 'react';
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

type LineProps = { row: Row; index: number; isPicked: boolean | undefined; isReached: boolean };

export const Line = memo(function Line({ row, index, isPicked, isReached }: LineProps) {
  const marks = useMarks();
  const { name, hue, state, wanted, isMixed = false, isGroup = false } = row;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be laid out as a list
    <div
      role="row"
      tabIndex={isReached ? 0 : -1}
      aria-rowindex={index + 1}
      aria-selected={isPicked}
      aria-label={marks.facts([name, state, wanted])}
      className={cx(styles.row, isMixed && styles.mixed, isGroup && styles.group)}
      data-hue={hue}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <div role="gridcell" className={styles.cell}>
        <span className={styles.box} aria-hidden="true">
          {isMixed ? <Minus size={14} strokeWidth={3} /> : <Check size={14} strokeWidth={3} />}
        </span>
        <span className={styles.name}>{name}</span>
        <span className={styles.state}>
          {state}
          {wanted !== undefined && <strong> → {wanted}</strong>}
        </span>
      </div>
    </div>
  );
});

/** What a list without rows says. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: as above
  // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to pick
  <div role="row">
    {/* biome-ignore lint/a11y/useSemanticElements: as above */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
    <div role="gridcell" className={styles.empty}>
      {children}
    </div>
  </div>
);
