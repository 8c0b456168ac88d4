import { Plus, Tag as TagIcon, X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { useCombobox } from '../../ui/combobox.tsx';
import { rank } from '../palette/match.ts';
import { tagMessages } from './messages.ts';
import { useTags } from './tag-queries.ts';
import styles from './tags.module.css';

const maximum = 5;
const maxLength = 30;
/** More would hide what is below the field. */
const maxShown = 6;

type Props = {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | undefined;
};

const formOf = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Up to five tags, with completion from those of the user; Enter or a comma adds what was typed. */
export function TagsField({ tags, onChange, error }: Props) {
  const t = useTexts(tagMessages);
  const id = useId();
  const [typed, setTyped] = useState('');
  const { data: known = [] } = useTags();
  const text = typed.trim();
  const taken = new Set(tags.map(formOf));
  const found = known
    .filter(({ name }) => !taken.has(formOf(name)))
    .flatMap((tag) => {
      const order = rank(text, [tag.name]);
      return order === undefined ? [] : [{ ...tag, order }];
    })
    .sort((a, b) => a.order - b.order)
    .slice(0, maxShown);
  const isNew = text !== '' && !taken.has(formOf(text)) && !known.some(({ name }) => formOf(name) === formOf(text));
  const isFull = tags.length >= maximum;
  const combobox = useCombobox({
    label: t('tags'),
    count: isFull ? 0 : found.length + (isNew ? 1 : 0),
    preferred: text === '' ? undefined : 0,
    onChoose: (index) => add(found[index]?.name ?? text),
  });

  function add(name: string): void {
    setTyped('');
    combobox.reset();
    if (name !== '' && !taken.has(formOf(name)) && !isFull) onChange([...tags, name]);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || combobox.onKey(event)) return;
    if (['Enter', ','].includes(event.key) && text !== '') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && typed === '') onChange(tags.slice(0, -1));
  }

  return (
    <div className={cx(styles.field)}>
      <label htmlFor={id}>{t('tags')}</label>
      <small>{t('used', { count: tags.length, maximum })}</small>
      <div className={cx(styles.box)} data-invalid={error === undefined ? undefined : ''}>
        {tags.map((tag) => (
          <button
            key={tag}
            type="button"
            aria-label={t('remove', { name: tag })}
            onClick={() => onChange(tags.filter((other) => other !== tag))}
          >
            {tag}
            <X size={14} />
          </button>
        ))}
        <input
          {...combobox.inputProps}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint`}
          disabled={isFull}
          placeholder={tags.length === 0 ? t('add') : undefined}
          maxLength={maxLength}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            combobox.reset();
            combobox.open();
          }}
          onFocus={combobox.open}
          onBlur={() => {
            combobox.close();
            add(text); // what was typed is not lost
          }}
          onKeyDown={onKeyDown}
        />
        {combobox.list(
          styles.choices,
          <>
            {found.map(({ name, sessions_count: records }, index) =>
              combobox.option(
                index,
                <>
                  <TagIcon size={16} />
                  <span className={cx(styles.name)}>{name}</span>
                  <small>{t('records', { count: records })}</small>
                </>,
              ),
            )}
            {isNew &&
              combobox.option(
                found.length,
                <>
                  <Plus size={16} />
                  {t('new_tag', { name: text })}
                </>,
              )}
          </>,
        )}
      </div>
      <small id={`${id}-hint`}>{error ?? t('add_hint')}</small>
    </div>
  );
}
