import { Check, Minus } from 'lucide-react';
import styles from './tick.module.css';

type Props = {
  label: string;
  isOn: boolean;
  isPart?: boolean;
  onChange: (isOn: boolean, isRange: boolean) => void;
};

/** The field covers its box, because not every browser takes a Shift click on a label. */
export function Tick({ label, isOn, isPart = false, onChange }: Props) {
  return (
    <span className={styles.tick}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        ref={(input) => {
          if (input !== null) input.indeterminate = isPart && !isOn;
        }}
        readOnly
        onClick={({ currentTarget, shiftKey }) => onChange(currentTarget.checked, shiftKey)}
      />
      <span aria-hidden="true">
        {isPart && !isOn ? <Minus size={13} strokeWidth={3} /> : <Check size={13} strokeWidth={3} />}
      </span>
    </span>
  );
}
