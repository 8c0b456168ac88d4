import { Plus, Tag as TagIcon, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
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
  /** The list opens above the field. */
  isAbove?: boolean;
};

const formOf = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Up to five tags, with completion from those of the user; Enter or a comma adds what was typed. */
export function TagsField({ tags, onChange, error, isAbove = false }: Props) {
  const t = useTexts(tagMessages);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number>();
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
  const count = found.length + (isNew ? 1 : 0);
  const isFull = tags.length >= maximum;
  const isShown = isOpen && !isFull && count > 0;
  const active = moved ?? (text === '' ? undefined : 0);

  function add(name: string): void {
    setTyped('');
    setMoved(undefined);
    if (name !== '' && !taken.has(formOf(name)) && !isFull) onChange([...tags, name]);
  }
  const choose = (index: number) => add(found[index]?.name ?? text);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) {
      event.preventDefault();
      setOpen(true);
      setMoved(((active ?? (step > 0 ? -1 : 0)) + step + count) % count);
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      setOpen(false);
    } else if ((event.key === 'Enter' && text !== '') || (event.key === ',' && text !== '')) {
      event.preventDefault();
      choose(event.key === ',' && isNew ? found.length : (active ?? 0));
    } else if (event.key === 'Backspace' && typed === '') onChange(tags.slice(0, -1));
  }

  const option = (index: number, content: ReactNode) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      key={index}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      className={cx(styles.option, index === active && styles.active)}
      onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
      onClick={() => choose(index)}
    >
      {content}
    </div>
  );

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
            <X size={14} aria-hidden="true" />
          </button>
        ))}
        <input
          id={id}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}-list` : undefined}
          aria-activedescendant={isShown && active !== undefined ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          disabled={isFull}
          placeholder={tags.length === 0 ? t('add') : undefined}
          maxLength={maxLength}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setMoved(undefined);
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            add(text); // what was typed is not lost
          }}
          onKeyDown={onKeyDown}
        />
        {isShown && (
          <div
            className={cx(styles.choices, isAbove && styles.above)}
            id={`${id}-list`}
            role="listbox"
            aria-label={t('tags')}
          >
            {found.map(({ name, sessions_count: records }, index) =>
              option(
                index,
                <>
                  <TagIcon size={16} aria-hidden="true" />
                  <span className={cx(styles.name)}>{name}</span>
                  <small>{t('records', { count: records })}</small>
                </>,
              ),
            )}
            {isNew &&
              option(
                found.length,
                <>
                  <Plus size={16} aria-hidden="true" />
                  {t('new_tag', { name: text })}
                </>,
              )}
          </div>
        )}
      </div>
      <small id={`${id}-hint`}>{error ?? t('add_hint')}</small>
    </div>
  );
}
