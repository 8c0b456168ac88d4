import {
  CalendarX2,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  ClockAlert,
  type LucideIcon,
  Radio,
  TrendingDown,
  TriangleAlert,
} from 'lucide-react';
import type { State } from './student-list.ts';

/** The icon of each class of students. */
export const stateIcons: Readonly<Record<State, LucideIcon>> = {
  silent: ClockAlert,
  overdue: CalendarX2,
  behind: TriangleAlert,
  slowing: TrendingDown,
  not_started: CircleDashed,
  on_track: CircleCheck,
  without_goals: CircleMinus,
  studying: Radio,
};
