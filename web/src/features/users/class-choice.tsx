import { useEffect, useState } from 'react';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Field, Select } from '../../ui/field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { changeMembers, createGroup } from '../groups/group-queries.ts';
import { userMessages } from './messages.ts';

/** An existing class, or the name of a new one. */
export type ChosenClass = { id: string; name: string };
const isNew = 'new';

type ChoiceProps = {
  chosen: ChosenClass;
  onChange: (chosen: ChosenClass) => void;
  /** A text that may name the class, which is then preset. */
  said?: string | undefined;
};

/** Whether a text has a name, and not as a part of another word or number. Chinese has no spaces between words. */
function hasName(text: string, name: string): boolean {
  const parts = text.toLowerCase().split(name.toLowerCase());
  return parts.slice(1).some((after, index) => !/[a-z0-9]$/.test(parts[index] ?? '') && !/^[a-z0-9]/.test(after));
}

/** The class with the longest name in a text. */
const namedIn = <G extends { name: string }>(groups: readonly G[], text: string): G | undefined =>
  groups.filter(({ name }) => hasName(text, name)).sort((a, b) => b.name.length - a.name.length)[0];

/** The class for new accounts: none, an existing or a new one. */
export function ClassChoice({ chosen, onChange, said = '' }: ChoiceProps) {
  const t = useTexts(userMessages);
  const { data: groups = [] } = useGroups();
  const isLimited = useIsLimited();
  // Students of a limited administrator are in one of their classes from the beginning.
  const [isChosen, setChosen] = useState(false);
  const preset = namedIn(groups, said) ?? (isLimited ? groups[0] : undefined);
  const first = !isChosen && chosen.id === '' ? preset : undefined;
  useEffect(() => {
    if (first !== undefined) onChange({ id: `${first.id}`, name: '' });
  }, [first, onChange]);
  return (
    <>
      <Select
        label={t('class')}
        value={chosen.id}
        onChange={(id) => {
          setChosen(true);
          onChange({ ...chosen, id });
        }}
        options={[
          ...(isLimited ? [] : [['', t('no_class')] as const]),
          ...groups.map(({ id, name }) => [`${id}`, name] as const),
          ...(isLimited ? [] : [[isNew, t('new_class')] as const]),
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

/** Of an existing class, which new accounts join with their creation. */
export const groupIdsOf = ({ id }: ChosenClass): number[] => (id === '' || id === isNew ? [] : [Number(id)]);

/** `key` makes a repeated request create no second class. */
export async function addToNewClass({ id, name }: ChosenClass, users: readonly number[], key: string): Promise<void> {
  if (id !== isNew) return;
  const group = await createGroup({ name: name.trim() }, `class-${key}`);
  await changeMembers(group, { add: [...users] });
}
