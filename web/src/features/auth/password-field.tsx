import { Eye, EyeOff } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field, type FieldProps } from '../../ui/field.tsx';
import { authMessages } from './messages.ts';

type SecretProps = Pick<FieldProps, 'label' | 'value' | 'onChange' | 'error' | 'hint' | 'autoFocus'>;
type Props = SecretProps & {
  isNew?: boolean;
  inputRef?: RefObject<HTMLInputElement | null>;
};

/** A password field with a show button; pasting and password managers work. */
export function PasswordField({ isNew = false, ...props }: Props) {
  const t = useTexts(authMessages);
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={128}
      inside={
        <Button
          look="quiet"
          aria-label={t(isShown ? 'hide' : 'show')}
          icon={isShown ? <EyeOff size={18} /> : <Eye size={18} />}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  );
}

/** A field for a code of the authenticator, or for a recovery code. */
export function CodeField(props: SecretProps) {
  return <Field {...props} inputMode="numeric" autoComplete="one-time-code" maxLength={64} />;
}
