import { cx } from '../lib/cx.ts';
import { Button } from './button.tsx';
import styles from './view-switch.module.css';

type Props<V extends string> = {
  label: string;
  options: readonly (readonly [value: V, text: string])[];
  value: V;
  onChange: (value: V) => void;
};

/** Switches between views of the same data. */
export function ViewSwitch<V extends string>({ label, options, value, onChange }: Props<V>) {
  return (
    <fieldset className={cx(styles.view, 'no-print')}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(([id, text]) => (
        <Button key={id} look="quiet" aria-pressed={id === value} onPress={() => onChange(id)}>
          {text}
        </Button>
      ))}
    </fieldset>
  );
}
