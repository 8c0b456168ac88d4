import type { ReactNode, Ref } from 'react';

export type FormProps = {
  className?: string | undefined;
  formRef?: Ref<HTMLFormElement>;
  onSave: () => unknown;
  children: ReactNode;
};

/** A form that saves nothing while a field is invalid; the focus then moves to that field. */
export function Form({ className, formRef, onSave, children }: FormProps) {
  return (
    <form
      ref={formRef}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = findInvalid(event.currentTarget);
        if (invalid === undefined) void onSave();
        else report(invalid);
      }}
      noValidate
    >
      {children}
    </form>
  );
}

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Also one whose text the browser cannot read, such as half of a date: its value is empty. */
function findInvalid(form: HTMLFormElement): Input | undefined {
  const inputs = [...form.querySelectorAll<Input>('input, textarea')];
  return inputs.find((input) => input.dataset['invalid'] !== undefined || input.validity.badInput);
}

/** The browser names what it cannot read; other errors are shown below the field. */
function report(input: Input): void {
  if (input.validity.badInput) input.reportValidity();
  input.focus();
}
