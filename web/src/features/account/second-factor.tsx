import { useState } from 'react';
import { api, readAccount } from '../../lib/api.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { CodeField, PasswordField } from '../auth/password-field.tsx';
import styles from './account.module.css';
import { accountMessages } from './messages.ts';

type Setup = { secret: string; qr_svg: string };

type Props = {
  /** Called after set-up, where a second factor is required. */
  onDone?: () => void;
};

/** TOTP: enabled by confirming a first code, disabled with password and code. */
export function SecondFactor({ onDone }: Props) {
  const t = useTexts(accountMessages);
  const { totp_enabled, has_password } = useAccount();
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<readonly string[]>();

  const proof = has_password ? { current_password: password } : {};

  const { run, isRunning, error } = useAction(async () => {
    if (totp_enabled) {
      await api.delete('/api/auth/totp', { body: { ...proof, otp } });
      setCodes(undefined);
    } else if (setup === undefined) {
      setSetup((await api.post('/api/auth/totp', { body: proof })).data);
    } else {
      setCodes((await api.post('/api/auth/totp/confirm', { body: { otp } })).data.recovery_codes);
      setSetup(undefined);
    }
    setOtp('');
    if (totp_enabled || setup !== undefined) {
      setPassword('');
      await readAccount();
    }
  });

  const isDone = totp_enabled && onDone !== undefined;
  const needsPassword = has_password && (totp_enabled || setup === undefined);
  const needsCode = totp_enabled || setup !== undefined;
  const text = totp_enabled ? 'factor_disable' : setup === undefined ? 'factor_begin' : 'factor_confirm';
  return (
    <Card title={t('factor')}>
      <Form className="stack" onSave={() => run()}>
        <p className={styles.hint}>{t(totp_enabled ? 'factor_on' : 'factor_off')}</p>
        {codes !== undefined && (
          <Notice kind="success">
            {t('factor_codes')}
            <ul className={styles.codes}>
              {codes.map((code) => (
                <li key={code}>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <Problem error={error} besides={['current_password', 'otp']} />
        {setup !== undefined && (
          <div className={styles.setup}>
            <p>{t('factor_scan')}</p>
            <img
              src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
              alt={t('factor_image')}
              width="180"
              height="180"
            />
            <code>{setup.secret}</code>
          </div>
        )}
        {!isDone && needsPassword && (
          <PasswordField
            label={t('factor_password')}
            value={password}
            onChange={setPassword}
            error={fieldProblem(error, 'current_password')}
          />
        )}
        {!isDone && needsCode && (
          <CodeField label={t('factor_code')} value={otp} onChange={setOtp} error={fieldProblem(error, 'otp')} />
        )}
        <div>
          {isDone ? (
            <Button look="primary" onPress={onDone}>
              {t('factor_continue')}
            </Button>
          ) : (
            <Button
              type="submit"
              isPending={isRunning}
              isDisabled={(needsPassword && password === '') || (needsCode && otp === '')}
              look={totp_enabled ? 'danger' : 'plain'}
            >
              {t(text)}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}
