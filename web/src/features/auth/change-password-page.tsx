import { useState } from 'react';
import { readAccount } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { Steps } from '../../ui/steps.tsx';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { oneTimePassword } from './one-time-password.ts';
import { PasswordForm } from './password-form.tsx';

/** Until a one-time password is changed, the service rejects all other requests. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ChangePasswordPage() {
  const t = useTexts(authMessages);
  const [known] = useState(oneTimePassword.get);
  async function onChanged(): Promise<void> {
    oneTimePassword.forget();
    await readAccount();
  }
  return (
    <main className={styles.page}>
      <Steps label={t('steps')} steps={[t('step_password'), t('step_zone'), t('step_study')]} current={0} />
      <div className={styles.intro}>
        <h1>{t('change_title')}</h1>
        <p>{t('change_why')}</p>
      </div>
      <PasswordForm known={known} action={t('go_on')} onChanged={onChanged} />
    </main>
  );
}
