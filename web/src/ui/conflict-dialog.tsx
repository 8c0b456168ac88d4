import { useState } from 'react';
import type { Conflict, Merging, Version } from '../lib/merge.ts';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './conflict-dialog.module.css';
import { Dialog } from './dialog.tsx';

const conflictMessages = {
  title: { en: 'Changed elsewhere', zh: '内容已在别处更改' },
  why: {
    en: 'These fields were changed here and elsewhere. Choose what to keep.',
    zh: '这些内容在此处和别处都有更改，请选择要保留的版本。',
  },
  mine: { en: 'Yours', zh: '你的更改' },
  theirs: { en: 'The other', zh: '别处的更改' },
  empty: { en: '(empty)', zh: '（空）' },
} as const;

type Props<T> = {
  merging: Pick<Merging<T>, 'conflict' | 'dismiss'>;
  label: (field: keyof T & string) => string;
  show: (field: keyof T & string, fields: T) => string;
  /** Saves the chosen fields over the current version. */
  onChoose: (base: Version<T>, fields: T) => unknown;
};

/** Shows both values of each conflicting field to choose from. */
export function ConflictDialog<T extends object>({ merging: { conflict, dismiss }, ...props }: Props<T>) {
  return conflict === undefined ? null : <Choice conflict={conflict} onClose={dismiss} {...props} />;
}

function Choice<T extends object>({
  conflict: { mine, theirs, fields },
  label,
  show,
  onChoose,
  onClose,
}: Omit<Props<T>, 'merging'> & { conflict: Conflict<T>; onClose: () => void }) {
  const t = useTexts(conflictMessages);
  const common = useTexts(commonMessages);
  const [chosen, setChosen] = useState(mine);
  const sides = [
    ['mine', mine],
    ['theirs', theirs.fields],
  ] as const;
  return (
    <Dialog title={t('title')} isOpen onClose={onClose}>
      <p>{t('why')}</p>
      {fields.map((field) => (
        <fieldset key={field} className={styles.field}>
          <legend>{label(field)}</legend>
          <div className={styles.sides}>
            {sides.map(([side, values]) => (
              <label key={side} className={styles.side}>
                <input
                  type="radio"
                  name={field}
                  checked={chosen[field] === values[field]}
                  onChange={() => setChosen({ ...chosen, [field]: values[field] })}
                />
                <span>
                  <small>{t(side)}</small>
                  {show(field, values) || t('empty')}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <div className="buttons">
        <Button look="primary" onPress={() => onChoose(theirs, chosen)}>
          {common('save')}
        </Button>
        <Button onPress={onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}
