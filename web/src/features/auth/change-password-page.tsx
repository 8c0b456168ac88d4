import { readAccount } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { PasswordForm } from './password-form.tsx';

/** Until a one-time password is changed, the service rejects all other requests. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ChangePasswordPage() {
  const t = useTexts(authMessages);
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <h1>{t('change_title')}</h1>
        <p>{t('change_why')}</p>
      </div>
      <PasswordForm onChanged={readAccount} />
    </main>
  );
}
