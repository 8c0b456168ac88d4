import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useState } from 'react';
import { collatorOf } from '../lib/collator.ts';
import { useSettings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { PickList } from './pick-list.tsx';
import styles from './pick-people.module.css';
import { SearchField } from './search-field.tsx';

const pickMessages = {
  search: { en: 'Search students', zh: '搜索学生' },
  picked: { en: '{count} selected', zh: '已选 {count} 人' },
  pick_all: { en: 'Select all {count} shown', zh: '选中所示 {count} 人' },
  pick_none: { en: 'Select none of those shown', zh: '取消所示的选择' },
  none: { en: 'No student matches.', zh: '没有符合条件的学生。' },
  members: { en: { one: '{count} student', other: '{count} students' }, zh: '{count} 名学生' },
} as const;

export type Person = { id: number; username: string; display_name: string; email: string };
/** A row that stands for its members; its id is negative, unlike those of people. */
type Group = { id: number; name: string; members: readonly number[] };
type Props = {
  label: string;
  people: readonly Person[];
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  /** Another filter beside the search. */
  filter?: ReactNode;
  /** The first rows. */
  groups?: readonly Group[];
};
const noGroups: readonly Group[] = [];

const contains = (search: string, { display_name, username, email }: Person) =>
  [display_name, username, email].some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
/** In a form, Enter in the search field must not submit. */
const preventSubmit = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault();
};

/** A searchable list of people to pick from. */
export function PickPeople({ label, people, picked, onPick, filter, groups = noGroups }: Props) {
  const t = useTexts(pickMessages);
  const { locale } = useSettings();
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const { compare } = collatorOf(locale);
    return people.filter((person) => contains(search, person)).sort((a, b) => compare(a.display_name, b.display_name));
  }, [people, search, locale]);
  const items = useMemo(() => {
    const named = groups.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
    return [...named, ...shown];
  }, [groups, search, shown]);
  const pickedRows = useMemo(
    () =>
      new Set([...picked, ...groups.flatMap((group) => (group.members.every((id) => picked.has(id)) ? group.id : []))]),
    [picked, groups],
  );
  const rowOf = useCallback(
    (row: Group | Person) =>
      'members' in row
        ? { name: row.name, isGroup: true, state: t('members', { count: row.members.length }) }
        : { name: row.display_name, state: row.username },
    [t],
  );
  const areAllPicked = shown.length > 0 && shown.every(({ id }) => picked.has(id));

  function pick(ids: readonly number[], isOn: boolean): void {
    const next = new Set(picked);
    const members = (id: number) => groups.find((group) => group.id === id)?.members ?? [id];
    for (const id of ids.flatMap(members)) isOn ? next.add(id) : next.delete(id);
    onPick(next);
  }

  return (
    <div className={styles.people}>
      <search className={styles.filters} onKeyDown={preventSubmit}>
        <SearchField label={t('search')} value={search} onChange={setSearch} />
        {filter}
      </search>
      <PickList
        label={label}
        items={items}
        picked={pickedRows}
        onPick={pick}
        rowOf={rowOf}
        isDisabled={false}
        empty={<p>{t('none')}</p>}
      />
      <div className={styles.below}>
        <span role="status">{t('picked', { count: picked.size })}</span>
        <Button
          look="quiet"
          isDisabled={shown.length === 0}
          onPress={() =>
            pick(
              shown.map(({ id }) => id),
              !areAllPicked,
            )
          }
        >
          {areAllPicked ? t('pick_none') : t('pick_all', { count: shown.length })}
        </Button>
      </div>
    </div>
  );
}
