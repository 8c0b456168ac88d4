import { Field } from './field.tsx';

/** The service's limit. */
const maxLength = 100;

type Props = { label: string; value: string; onChange: (value: string) => void };

/** A search field with its label as placeholder. */
export function SearchField({ label, value, onChange }: Props) {
  return (
    <Field
      aria-label={label}
      placeholder={label}
      type="search"
      value={value}
      maxLength={maxLength}
      onChange={onChange}
    />
  );
}
