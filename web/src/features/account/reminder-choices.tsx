import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { reminderMessages } from './reminder-messages.ts';

const hours = [12, 15, 17, 18, 19, 20, 21, 22];

type HourProps = { chosen: readonly number[]; hour: number; onChoose: (hour: number) => Promise<void> };

/** One for all ways that are on; two different ones that were saved elsewhere are shown as they are. */
export function Hour({ chosen, hour, onChoose }: HourProps) {
  const t = useTexts(reminderMessages);
  const name = t('hour_of', { what: t('streak') });
  const known = [...new Set([hour, ...hours])].toSorted((a, b) => a - b).map(String);
  const differ = new Set(chosen).size > 1 ? chosen.map((at) => t('from', { hour: at })).join(', ') : undefined;
  return (
    <Select
      label={name}
      isLabelHidden
      value={differ === undefined ? String(hour) : ''}
      isDisabled={chosen.length === 0}
      onChange={(at) => void onChoose(Number(at))}
      options={[
        ...(differ === undefined ? [] : [['', differ] as const]),
        ...known.map((at) => [at, t('from', { hour: at })] as const),
      ]}
    />
  );
}

type ChoiceProps = { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => Promise<void> };

/** Shows what was chosen while it is being saved, and keeps the focus. */
export function Choice({ label, isChosen, onChoose }: ChoiceProps) {
  const [pending, setPending] = useState<boolean>();
  async function choose(wanted: boolean): Promise<void> {
    if (pending !== undefined) return;
    setPending(wanted);
    await onChoose(wanted);
    setPending(undefined);
  }
  return (
    <Checkbox isSelected={pending ?? isChosen} onChange={(wanted) => void choose(wanted)}>
      <span className="visually-hidden">{label}</span>
    </Checkbox>
  );
}
