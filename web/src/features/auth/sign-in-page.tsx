import { useEffect } from 'react';
import { Link } from 'wouter';
import { Header } from '../../frame/header.tsx';
import { siteName } from '../../lib/page-meta.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { Poster } from './poster.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { passwordsAreOff } from './single-sign-on.ts';

export function SignInPage() {
  const t = useTexts(authMessages);
  useEffect(() => {
    document.title = `${t('title')} – Studytrack`;
  }, [t]);
  return (
    <div className={styles.sign}>
      <Header />
      <main>
        <h1>{t('title')}</h1>
        {siteName !== undefined && <p className={styles.site}>{siteName}</p>}
        <SignInForm />
        <p className={styles.help}>
          {t(passwordsAreOff ? 'no_account' : 'no_account_or_password')}
          <br />
          <Link href={href('contact')}>{t('request_account')}</Link>
          {!passwordsAreOff && (
            <>
              {' '}
              {t('or')} <Link href={href('forgotPassword')}>{t('new_password_link')}</Link>
            </>
          )}
        </p>
        <p className={styles.help}>
          <Link href={href('accessibility')}>{t('accessibility')}</Link>
        </p>
      </main>
      <Poster />
    </div>
  );
}
