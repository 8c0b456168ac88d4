import type { Schemas } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { Chip, type ChipLook } from '../../ui/chip.tsx';
import { trackMessages } from './track-messages.ts';

type Forecast = Schemas['Forecast'];

const looks: Readonly<Record<Forecast['state'], ChipLook>> = {
  ...{ ahead: 'good', on_track: 'good', done: 'good' },
  ...{ behind: 'warn', overdue: 'bad', paused: 'plain', no_target: 'plain' },
};

type Props = { project: { due_date: string | null; target_hours: number }; forecast: Forecast | undefined };

/** Whether the reader's own goal is on track. A target that everybody works for says nothing about one person. */
export function StateChip({ project, forecast }: Props) {
  const t = useTexts(trackMessages);
  if (forecast === undefined) return null;
  const { state, hours_of } = forecast;
  if (hours_of === 'all' && state !== 'no_target') return <Chip look="plain">{t('shared')}</Chip>;
  if (state === 'on_track' && project.due_date === null) return <Chip look="plain">{t('no_due')}</Chip>;
  return <Chip look={looks[state]}>{t(state)}</Chip>;
}
