import { Field } from './field.tsx';

/** The service searches for no more. */
const longest = 100;

type Props = { label: string; value: string; onChange: (value: string) => void };

/** Text that a list is searched for; its label stands inside, where there is nothing yet. */
export function SearchField({ label, value, onChange }: Props) {
  return (
    <Field aria-label={label} placeholder={label} type="search" value={value} maxLength={longest} onChange={onChange} />
  );
}
