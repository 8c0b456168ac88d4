import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { tokenMessages } from './token-messages.ts';

/** A secret with a copy button; a field, so that it can also be selected manually. */
export function SecretText({ label, value }: { label: string; value: string }) {
  const t = useTexts(tokenMessages);
  const copy = () => void navigator.clipboard?.writeText(value).then(() => toast({ text: t('copied') }));
  return <Field label={label} value={value} isReadOnly after={<Button onPress={copy}>{t('copy')}</Button>} />;
}
