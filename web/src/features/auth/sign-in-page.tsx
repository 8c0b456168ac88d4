import { useTexts } from '../../lib/texts.ts';
import { authMessages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';
import { StrangerPage } from './stranger-page.tsx';

export function SignInPage() {
  const t = useTexts(authMessages);
  return (
    <StrangerPage title={t('title')} intro={t('welcome')} links={['forgotPassword', 'contact']}>
      <SignInForm />
    </StrangerPage>
  );
}
