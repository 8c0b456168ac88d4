import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { schoolYearMessages } from './messages.ts';

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
  return (
    <Select
      label={t('for')}
      value={String(group ?? '')}
      onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
      options={[
        ...(isLimited ? [] : [['', t('whole_school')] as const]),
        ...groups.map((known) => [String(known.id), known.name] as const),
      ]}
    />
  );
}
