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
        else invalid.focus();
      }}
      noValidate
    >
      {children}
    </form>
  );
}

type Input = HTMLInputElement | HTMLTextAreaElement;

function findInvalid(form: HTMLFormElement): Input | undefined {
  return [...form.querySelectorAll<Input>('input, textarea')].find((input) => input.dataset['invalid'] !== undefined);
}
