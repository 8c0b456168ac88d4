import { Chip } from '../../ui/chip.tsx';
import type { Forecast } from './forecast-queries.ts';
import { useGoalTexts } from './goal-texts.ts';

/** The state of the reader's own goal; nothing without one. */
export function StateChip({ forecast }: { forecast: Forecast | undefined }) {
  const chip = useGoalTexts().chip;
  const shown = forecast && chip(forecast);
  return shown === undefined ? null : <Chip look={shown.look}>{shown.text}</Chip>;
}
