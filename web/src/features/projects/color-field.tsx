import { useId } from 'react';
import { useTexts } from '../../lib/texts.ts';
import styles from './color-field.module.css';
import { colorMessages } from './messages.ts';

const colors = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** The colour of a project: one of twelve, each with a name. */
export function ColorField({ value, onChange }: { value: number | null; onChange: (color: number) => void }) {
  const t = useTexts(colorMessages);
  const name = useId();
  const chosen = colors.find((color) => color === value);
  return (
    <fieldset className={styles.colors}>
      <legend>
        {t('color')} <span>{t(chosen === undefined ? 'automatic' : `color_${chosen}`)}</span>
      </legend>
      {colors.map((color) => (
        <label key={color} data-hue={color} title={t(`color_${color}`)}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            aria-label={t(`color_${color}`)}
            checked={color === value}
            onChange={() => onChange(color)}
          />
          <span />
        </label>
      ))}
    </fieldset>
  );
}
