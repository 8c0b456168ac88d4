import { type ReactNode, useEffect, useRef, useState } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { useKeptFocus } from './form-focus.ts';

export type FormProps = {
  className?: string | undefined;
  onSave: () => unknown;
  children: ReactNode;
};

/** A form that saves nothing while a field is invalid; the focus moves to that field, also if the service refused it. */
export function Form({ className, onSave, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  useKeptFocus(form);
  // In an effect, for only then are the errors of the attempt in the document.
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return (
    <form
      ref={form}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = findInvalid(event.currentTarget);
        if (invalid !== undefined) invalid.focus();
        else void Promise.resolve(onSave()).then(() => setAttempts((count) => count + 1));
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
