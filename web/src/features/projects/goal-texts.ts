import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { type Translate, useTexts } from '../../lib/texts.ts';
import type { ChipLook } from '../../ui/chip.tsx';
import type { Forecast } from './forecast-queries.ts';
import { trackMessages } from './track-messages.ts';

type GoalState = Forecast['state'];
export type GoalChip = { look: ChipLook; text: string };

const looks: Readonly<Record<GoalState, ChipLook>> = {
  ahead: 'good',
  on_track: 'good',
  done: 'good',
  slowing: 'slow',
  behind: 'warn',
  overdue: 'bad',
  not_started: 'plain',
  paused: 'plain',
  no_target: 'plain',
};

/** The words and the look of a state, wherever it is shown. */
const chipOf = (state: GoalState, t: Translate<typeof trackMessages>): GoalChip => ({
  look: looks[state],
  text: t(state),
});

type Goal = Pick<Forecast, 'state' | 'hours_of'> & Partial<Pick<Forecast, 'behind_hours'>>;

/** What is said about the reader's own goals. */
export function useGoalTexts() {
  const t = useTexts(trackMessages);
  const marks = useMarks();
  const formats = useFormats('UTC'); // a due date has no time
  return {
    /** Undefined if nothing is claimed: a target that everybody works for says nothing about one person. */
    chip({ state, hours_of, behind_hours }: Goal): GoalChip | undefined {
      if (state === 'no_target') return undefined;
      if (hours_of === 'all') return { look: 'plain', text: t('shared') };
      if (state === 'behind' && behind_hours != null)
        return { look: looks.behind, text: t('behind_by', { hours: formats.hours(behind_hours) }) };
      return chipOf(state, t);
    },
    /** Why something is to be studied today. `weekLeft`: what is open of the weekly goal, in seconds. */
    reason(
      { today_reason, state, behind_hours }: Forecast,
      due: string | null,
      weekLeft: number,
      lastDay: string,
    ): string {
      if (today_reason === 'weekly_goal')
        return weekLeft > 0
          ? t('week_open', { duration: formats.duration(weekLeft), day: formats.weekdayShort(lastDay) })
          : t('week_reached');
      if (due === null) return '';
      const isBehind = state === 'behind' && behind_hours !== null;
      return marks.facts([
        t('due_on', { date: formats.shortDate(due) }),
        isBehind && t('hours_behind', { hours: formats.hours(behind_hours) }),
      ]);
    },
  };
}
