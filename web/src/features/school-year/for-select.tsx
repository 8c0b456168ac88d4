import { Check, Plus } from 'lucide-react';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { schoolYearMessages } from './messages.ts';

/** More classes are a list. */
const maxChips = 6;

/** Of a class teacher, who sets the days of a class, the first one unless one is selected; null is the whole school. */
export function useClassOr(selected: number | null): number | null {
  const isLimited = useIsLimited();
  const { data: groups = [] } = useGroups();
  return selected ?? (isLimited ? (groups[0]?.id ?? null) : null);
}

/** Selects for whom days apply. */
export function ForSelect({ group, onChange }: { group: number | null; onChange: (group: number | null) => void }) {
  const t = useTexts(schoolYearMessages);
  const isLimited = useIsLimited();
  const { data: groups = [] } = useGroups();
  const options: (readonly [id: number | null, name: string])[] = [
    ...(isLimited ? [] : [[null, t('whole_school')] as const]),
    ...groups.map(({ id, name }) => [id, name] as const),
  ];
  if (groups.length > maxChips)
    return (
      <Select
        label={t('for')}
        value={String(group ?? '')}
        onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
        options={options.map(([id, name]) => [String(id ?? ''), name])}
      />
    );
  return (
    <fieldset>
      <legend className="note">{t('for')}</legend>
      <div className="row">
        {options.map(([id, name]) => (
          <FilterChip
            key={id}
            Icon={id === group ? Check : Plus}
            text={name}
            isOn={id === group}
            onChange={() => onChange(id)}
          />
        ))}
      </div>
    </fieldset>
  );
}
