import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { deviceZone, zoneName, zoneOptions } from '../../lib/zone.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { PasswordField } from '../auth/password-field.tsx';
import styles from './account.module.css';
import { accountMessages } from './messages.ts';
import { useProfileForm } from './use-profile-form.tsx';

/** Who the user is, and where. */
export function ProfileCard() {
  const t = useTexts(accountMessages);
  const { locale } = useSettings();
  const account = useAccount();
  const { form, set, password, setPassword, error, frame } = useProfileForm();
  return (
    <Card title={t('profile')}>
      {frame(
        <>
          <Field label={t('username')} value={account.username} isReadOnly />
          <Field
            label={t('display_name')}
            value={form.display_name}
            onChange={(display_name) => set({ display_name })}
            maxLength={50}
            autoComplete="name"
            error={fieldProblem(error, 'display_name')}
          />
          <Field
            label={t('email')}
            hint={t('email_hint')}
            type="email"
            value={form.email}
            onChange={(email) => set({ email })}
            maxLength={254}
            autoComplete="email"
            error={fieldProblem(error, 'email')}
          />
          {form.email !== account.email && (
            <PasswordField
              label={t('email_current')}
              hint={t('email_password')}
              value={password}
              onChange={setPassword}
              error={fieldProblem(error, 'current_password')}
            />
          )}
          <div>
            <Select
              label={t('timezone')}
              value={form.timezone}
              onChange={(timezone) => set({ timezone })}
              options={zoneOptions(form.timezone, locale)}
            />
            <p className={styles.hint}>{t('timezone_hint', { zone: zoneName(deviceZone, locale) })}</p>
            {form.timezone !== deviceZone && (
              <Button onPress={() => set({ timezone: deviceZone })}>
                {t('use_device', { zone: zoneName(deviceZone, locale) })}
              </Button>
            )}
          </div>
        </>,
      )}
    </Card>
  );
}
