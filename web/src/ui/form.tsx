import type { ReactNode, Ref } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';

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
