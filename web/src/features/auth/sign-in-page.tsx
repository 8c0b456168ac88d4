import { useTexts } from '../../lib/texts.ts';
import { authMessages } from './messages.ts';
import { PublicPage } from './public-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const t = useTexts(authMessages);
  return (
    <PublicPage title={t('title')} intro={t('welcome')} links={['forgotPassword', 'contact']}>
      <SignInForm />
    </PublicPage>
  );
}
