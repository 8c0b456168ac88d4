import { useState } from 'react';
import { api, signOut } from '../../lib/api.ts';
import { areFieldErrors, fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { CodeField, PasswordField } from '../auth/password-field.tsx';
import styles from './account.module.css';
import { deleteAccountMessages } from './delete-account-messages.ts';
import { accountMessages } from './messages.ts';

const fields = ['current_password', 'otp'];

/** Deletes the user's own account; requires password and second factor. */
export function DeleteAccount() {
  const t = useTexts(deleteAccountMessages);
  const account = useTexts(accountMessages);
  const { totp_enabled, has_password } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const { run, isRunning, error } = useAction(async () => {
    await api.delete('/api/me', {
      body: { ...(has_password && { current_password: password }), ...(totp_enabled && { otp }) },
    });
    await signOut();
  });
  return (
    <Card title={t('title')}>
      <div className="stack">
        <p className={styles.hint}>{t('what')}</p>
        <div>
          <Button look="danger" onPress={() => setOpen(true)}>
            {t('begin')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        title={t('title')}
        label={t('confirm')}
        isOpen={isOpen}
        action={{ isRunning, error: areFieldErrors(error, fields) ? undefined : error }}
        onConfirm={run}
        onClose={() => setOpen(false)}
      >
        <p>{t('what')}</p>
        {has_password && (
          <PasswordField
            label={account('current_password')}
            value={password}
            onChange={setPassword}
            error={fieldProblem(error, 'current_password')}
          />
        )}
        {totp_enabled && (
          <CodeField label={account('factor_code')} value={otp} onChange={setOtp} error={fieldProblem(error, 'otp')} />
        )}
      </ConfirmDialog>
    </Card>
  );
}
