import { useFormats } from '../../../lib/format.ts';
import { type Catalogue, useTexts } from '../../../lib/texts.ts';
import { Chip, type ChipLook } from '../../../ui/chip.tsx';
import { type Goal, hoursBehind } from './goal-queries.ts';

const texts = {
  done: { en: 'Reached', zh: '已达成' },
  ahead: { en: 'Ahead', zh: '进度领先' },
  on_track: { en: 'On track', zh: '进度正常' },
  behind: { en: 'Behind', zh: '落后' },
  behind_by: { en: 'Behind {hours}', zh: '落后 {hours}' },
  slowing: { en: 'Slowing', zh: '进度放缓' },
  overdue: { en: 'Overdue', zh: '已逾期' },
  not_started: { en: 'Not started', zh: '未开始' },
  paused: { en: 'Paused', zh: '已暂停' },
} as const satisfies Catalogue;
type State = Exclude<keyof typeof texts, 'behind_by'>;

const looks: Readonly<Record<State, ChipLook>> = {
  done: 'good',
  ahead: 'good',
  on_track: 'good',
  behind: 'warn',
  slowing: 'warn',
  overdue: 'bad',
  not_started: 'plain',
  paused: 'plain',
};

/** The state of a student's goal. */
export function GoalChip({ goal }: { goal: Goal }) {
  const t = useTexts(texts);
  const formats = useFormats('UTC');
  const { state } = goal.forecast;
  if (!(state in looks)) return null;
  const known = state as State;
  const hours = hoursBehind(goal);
  if (known === 'behind' && hours > 0)
    return <Chip look="warn">{t('behind_by', { hours: formats.hours(hours) })}</Chip>;
  return <Chip look={looks[known]}>{t(known)}</Chip>;
}
