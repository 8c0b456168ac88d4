import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, type Ref, useEffect, useId, useLayoutEffect, useState } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './field.module.css';
import select from './select.module.css';

type Native = Pick<
  ComponentProps<'input'>,
  'aria-label' | 'autoComplete' | 'inputMode' | 'maxLength' | 'name' | 'placeholder' | 'type'
>;
export type FieldProps = Native & {
  /** Shown above; if absent, `aria-label` is required. */
  label?: string;
  /** Takes the focus when it is first shown. */
  autoFocus?: boolean | undefined;
  value: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  /** Why the value cannot be saved; the form then saves nothing. */
  invalid?: string | undefined;
  /** What the service has answered to the value. */
  error?: string | undefined;
  hint?: string;
  /** Short, beside the label. */
  aside?: string;
  isReadOnly?: boolean;
  isDisabled?: boolean;
  /** Renders a textarea with this many lines. */
  rows?: number;
  inputRef?: Ref<HTMLInputElement>;
  areaRef?: Ref<HTMLTextAreaElement>;
  before?: ReactNode;
  /** Over the start of the input. */
  icon?: ReactNode;
  after?: ReactNode;
  /** A button over the end of the input. */
  inside?: ReactNode;
  /** What a list of options below the input asks of it. */
  listProps?: Omit<ComponentProps<'input'>, 'onChange' | 'onBlur'>;
};

/** A rejection by the service until the value is changed, and again after the next one. */
function useRejection(rejection: string | undefined): [shown: string | undefined, answer: () => void] {
  const [isAnswered, setAnswered] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rejection is shown anew
  useEffect(() => setAnswered(false), [rejection]);
  return [isAnswered ? undefined : rejection, () => setAnswered(rejection !== undefined)];
}

/** A labelled input or textarea. An error takes the place of the hint. */
export function Field({
  label,
  autoFocus = false,
  invalid,
  error: rejection,
  hint,
  aside,
  rows,
  inputRef,
  areaRef,
  before,
  icon,
  after,
  inside,
  listProps,
  onChange,
  isReadOnly,
  isDisabled,
  ...props
}: FieldProps) {
  const id = useId();
  // The browser's own `autofocus` is for pages that load, not for fields that are added.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field is first shown
  useLayoutEffect(() => {
    if (autoFocus) document.getElementById(id)?.focus();
  }, []);
  const [rejected, answer] = useRejection(rejection);
  const error = invalid ?? rejected;
  const texts = {
    [`${id}-aside`]: aside,
    [`${id}-hint`]: error === undefined ? hint : undefined,
    [`${id}-error`]: error,
  };
  const described = Object.keys(texts).filter((key) => texts[key] !== undefined);
  const own = {
    id,
    className: styles.input,
    readOnly: isReadOnly,
    disabled: isDisabled,
    'aria-invalid': error !== undefined || undefined,
    'data-invalid': invalid === undefined ? undefined : '',
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    onChange: (event: { target: { value: string } }) => {
      answer();
      onChange?.(event.target.value);
    },
  };
  const { type: _line, ...ofArea } = props;
  return (
    <div className={styles.field}>
      {label !== undefined && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {aside !== undefined && (
        <span id={`${id}-aside`} className={styles.aside}>
          {aside}
        </span>
      )}
      {rows === undefined ? (
        <div className={styles.line}>
          {before}
          {icon}
          <input {...own} {...props} {...listProps} ref={inputRef} />
          {inside !== undefined && <span className={styles.inside}>{inside}</span>}
          {after}
        </div>
      ) : (
        <textarea {...own} {...ofArea} rows={rows} ref={areaRef} />
      )}
      {hint !== undefined && error === undefined && (
        <span id={`${id}-hint`} className="note">
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className={styles.error}>
          <CircleAlert size={16} strokeWidth={2} />
          <span id={`${id}-error`}>{error}</span>
        </span>
      )}
    </div>
  );
}

export type NativeSelectProps<V extends string> = {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly (readonly [value: V, text: string])[];
  isDisabled?: boolean;
  hint?: string | undefined;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  /** For a filter whose first option stands for no filter: the icon of its pill. */
  icon?: ReactNode;
};

/** A native select. Phones show its options in their own way, browsers that can in ours. */
export function Select<V extends string>({
  label,
  value,
  onChange,
  options,
  isLabelHidden,
  isDisabled,
  hint,
  icon,
}: NativeSelectProps<V>) {
  const id = useId();
  return (
    <div className={cx(styles.field, icon !== undefined && select.pill)}>
      <label htmlFor={id} className={isLabelHidden === true ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {icon}
      <select
        id={id}
        className={cx(styles.input, select.select)}
        data-on={value !== options[0]?.[0] || undefined}
        value={value}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value as V)} // one of the options
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="note">
          {hint}
        </span>
      )}
    </div>
  );
}
