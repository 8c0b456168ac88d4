import { School } from 'lucide-react';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { useGroups } from './board-queries.ts';

const messages = {
  group: { en: 'Class', zh: '班级' },
  all_groups: { en: 'All classes', zh: '全部班级' },
} as const;

type Props = { value: string; onChange: (id: string) => void; isPill?: boolean };

/** Shows only the students of a class. */
export function GroupFilter({ value, onChange, isPill = false }: Props) {
  const t = useTexts(messages);
  const { data: groups = [] } = useGroups();
  return (
    <Select
      label={t('group')}
      isLabelHidden
      {...(isPill && { icon: <School size={15} /> })}
      value={value}
      onChange={onChange}
      options={[['', t('all_groups')], ...groups.map(({ id, name }) => [`${id}`, name] as const)]}
    />
  );
}
