import { parseNumber } from '../../lib/numbers.ts';
import { useTexts } from '../../lib/texts.ts';
import { Field } from '../../ui/field.tsx';
import styles from './account.module.css';
import { accountMessages } from './messages.ts';

/** A goal as it is typed. */
export type Goal = { hours: string; minutes: string };

export const goalOf = (minutes: number | null): Goal =>
  minutes === null
    ? { hours: '', minutes: '' }
    : { hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60).padStart(2, '0') };

/** Null for no goal, NaN for what is not a time. */
export function minutesOf({ hours, minutes }: Goal): number | null {
  const [h = Number.NaN, m = Number.NaN] = [hours, minutes].map((text) => (text.trim() === '' ? 0 : parseNumber(text)));
  return Math.round(h * 60 + m) || (Number.isNaN(h + m) ? Number.NaN : null);
}

/** `most`: the hours of the day or of the week that the goal is for. */
export const isGoal = (minutes: number, most: number): boolean => minutes > 0 && minutes <= most * 60;

type Props = {
  label: string;
  hint: string;
  value: Goal;
  onChange: (goal: Goal) => void;
  most: number;
  error?: string | undefined;
};

/** Hours and minutes, both empty for no goal. */
export function GoalField({ label, value, onChange, most, ...props }: Props) {
  const t = useTexts(accountMessages);
  const minutes = minutesOf(value);
  const part = (of: 'hours' | 'minutes', others?: object) => (
    <Field
      {...others}
      aria-label={t(`goal_${of}`, { goal: label })}
      inputMode="decimal"
      value={value[of]}
      onChange={(text) => onChange({ ...value, [of]: text })}
      maxLength={4}
    />
  );
  return part('hours', {
    ...props,
    label,
    invalid: minutes === null || isGoal(minutes, most) ? undefined : t('bad_goal', { count: most }),
    after: (
      <span className={styles.goal}>
        {t('hours_unit')}
        {part('minutes')}
        {t('minutes_unit')}
      </span>
    ),
  });
}
