import { type ReactNode, useState } from 'react';
import { Field } from './field.tsx';

type Props = {
  label: string;
  /** What is shown while nothing is typed. */
  shown: string;
  /** The value of a text; undefined if there is none. */
  parse: (text: string) => string | undefined;
  onChange: (value: string) => void;
  /** Said of a text without a value. */
  bad: string;
  error?: string | undefined;
  after?: ReactNode;
  maxLength: number;
};

/** A field whose text is read while it is typed, and written out when the focus leaves it. */
export function TypedField({ shown, parse, onChange, bad, ...props }: Props) {
  const [typed, setTyped] = useState<string>();
  const isBad = typed !== undefined && parse(typed) === undefined;
  return (
    <Field
      {...props}
      autoComplete="off"
      value={typed ?? shown}
      onChange={(text) => {
        setTyped(text);
        const value = parse(text);
        if (value !== undefined) onChange(value);
      }}
      onBlur={() => {
        if (!isBad) setTyped(undefined);
      }}
      invalid={isBad ? bad : undefined}
    />
  );
}
