import { useTexts } from '../../lib/texts.ts';
import { Field, Select } from '../../ui/field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { changeMembers, createGroup } from '../groups/group-queries.ts';
import { userMessages } from './messages.ts';

/** An existing class, or the name of a new one. */
export type ChosenClass = { id: string; name: string };
const isNew = 'new';

/** The class for new accounts: none, an existing or a new one. */
export function ClassChoice({ chosen, onChange }: { chosen: ChosenClass; onChange: (chosen: ChosenClass) => void }) {
  const t = useTexts(userMessages);
  const { data: groups = [] } = useGroups();
  return (
    <>
      <Select
        label={t('class')}
        value={chosen.id}
        onChange={(id) => onChange({ ...chosen, id })}
        options={[
          ['', t('no_class')],
          ...groups.map(({ id, name }) => [`${id}`, name] as const),
          [isNew, t('new_class')],
        ]}
      />
      {chosen.id === isNew && (
        <Field
          label={t('class_name')}
          value={chosen.name}
          maxLength={50}
          autoComplete="off"
          onChange={(name) => onChange({ ...chosen, name })}
          invalid={chosen.name.trim() === '' ? t('class_name_missing') : undefined}
        />
      )}
    </>
  );
}

/** `key` makes a repeated request create no second class. */
export async function addToClass({ id, name }: ChosenClass, users: readonly number[], key: string): Promise<void> {
  if (id === '') return;
  const group = id === isNew ? await createGroup({ name: name.trim() }, `class-${key}`) : Number(id);
  await changeMembers(group, { add: [...users] });
}
