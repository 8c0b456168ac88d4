import { useTexts } from '../../lib/texts.ts';
import { Chip, type ChipLook } from '../../ui/chip.tsx';
import type { Forecast } from './project-queries.ts';
import { trackMessages } from './track-messages.ts';

const looks: Readonly<Record<Forecast['state'] | 'not_started', ChipLook>> = {
  ...{ ahead: 'good', on_track: 'good', done: 'good' },
  ...{ behind: 'warn', overdue: 'bad', not_started: 'plain', paused: 'plain', no_target: 'plain' },
};

type Props = { project: { due_date: string | null; own_hours: number }; forecast: Forecast | undefined };

/** Whether the reader's own goal is on track. A target that everybody works for says nothing about one person. */
export function StateChip({ project, forecast }: Props) {
  const t = useTexts(trackMessages);
  if (forecast === undefined) return null;
  const { hours_of } = forecast;
  // Nothing studied yet says more than that the pace is too low.
  const isStarted = forecast.state !== 'behind' || project.own_hours > 0;
  const state = isStarted ? forecast.state : 'not_started';
  if (hours_of === 'all' && state !== 'no_target') return <Chip look="plain">{t('shared')}</Chip>;
  if (state === 'on_track' && project.due_date === null) return <Chip look="plain">{t('no_due')}</Chip>;
  return <Chip look={looks[state]}>{t(state)}</Chip>;
}
