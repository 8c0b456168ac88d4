import {
  CalendarDays,
  CircleCheck,
  CircleDashed,
  ClockAlert,
  type LucideIcon,
  TrendingDown,
  TriangleAlert,
} from 'lucide-react';
import { cx } from '../lib/cx.ts';
import styles from './chip.module.css';

const icons = {
  good: CircleCheck,
  slow: TrendingDown,
  warn: TriangleAlert,
  bad: ClockAlert,
  plain: CircleDashed,
  planned: CalendarDays,
} satisfies Record<string, LucideIcon>;
export type ChipLook = keyof typeof icons;

/** A state: an icon, a word and a colour. */
export function Chip({ look, Icon = icons[look], children }: { look: ChipLook; Icon?: LucideIcon; children: string }) {
  return (
    <span className={cx(styles.chip, styles[look])}>
      <Icon size={14} strokeWidth={2.1} />
      {children}
    </span>
  );
}
