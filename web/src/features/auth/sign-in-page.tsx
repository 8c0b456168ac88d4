import { useEffect } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const t = useTexts(authMessages);
  useEffect(() => {
    document.title = `${t('title')} – Studytrack`;
  }, [t]);
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <h1>{t('title')}</h1>
        <p>{t('welcome')}</p>
      </div>
      <SignInForm />
      <p className={styles.foot}>
        <Link href={href('contact')}>{t('contact')}</Link>
      </p>
    </main>
  );
}
