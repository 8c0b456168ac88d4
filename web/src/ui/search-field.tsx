import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from './field.tsx';

/** The service's limit. */
const maxLength = 100;

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  inside?: ReactNode;
  /** It gets the focus when it appears. */
  isFirst?: boolean;
};

/** A search field with its label as placeholder. */
export function SearchField({ label, value, onChange, inside, isFirst = false }: Props) {
  return (
    <Field
      aria-label={label}
      placeholder={label}
      type="search"
      icon={<Search size={16} />}
      value={value}
      maxLength={maxLength}
      inside={inside}
      autoFocus={isFirst}
      onChange={onChange}
    />
  );
}
