import type { ReactNode } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';

export type FormProps = {
  className?: string | undefined;
  onSave: () => unknown;
  children: ReactNode;
};

/** A form that saves nothing while a field is invalid; the focus then moves to that field. */
export function Form({ className, onSave, children }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = findInvalid(event.currentTarget);
        const form = event.currentTarget;
        if (invalid !== undefined) invalid.focus();
        else void Promise.resolve(onSave()).then(() => requestAnimationFrame(() => focusRejected(form)));
      }}
      noValidate
    >
      {children}
    </form>
  );
}

/** The service has refused a value, whose field may be out of view. */
function focusRejected(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

type Input = HTMLInputElement | HTMLTextAreaElement;

function findInvalid(form: HTMLFormElement): Input | undefined {
  return [...form.querySelectorAll<Input>('input, textarea')].find((input) => input.dataset['invalid'] !== undefined);
}

type ButtonsProps = { isPending: boolean; isDisabled?: boolean; onCancel: () => void };

/** Saves the form or leaves it. */
export function SaveButtons({ isPending, isDisabled = false, onCancel }: ButtonsProps) {
  const t = useTexts(commonMessages);
  return (
    <>
      <Button type="submit" look="primary" isPending={isPending} isDisabled={isDisabled}>
        {t('save')}
      </Button>
      <Button onPress={onCancel}>{t('cancel')}</Button>
    </>
  );
}
