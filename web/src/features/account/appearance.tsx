import { frameMessages } from '../../frame/messages.ts';
import { api } from '../../lib/api.ts';
import { languageNames, locales, settings, type Theme, useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import styles from './account.module.css';
import { accountMessages } from './messages.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Language and theme; each choice takes effect at once. */
export function Appearance() {
  const t = useTexts(accountMessages);
  const frame = useTexts(frameMessages);
  const { locale, theme } = useSettings();
  return (
    <Card title={t('appearance')}>
      <dl className={styles.choices}>
        <dt>{t('language')}</dt>
        <dd>
          <ViewSwitch
            label={t('language')}
            options={locales.map((known) => [known, languageNames[known]])}
            value={locale}
            onChange={(chosen) => {
              settings.set({ locale: chosen });
              void api.put('/api/auth/me', { body: { locale: chosen } }).catch(() => undefined); // kept on this device
            }}
          />
        </dd>
        <dt>{frame('theme')}</dt>
        <dd>
          <ViewSwitch
            label={frame('theme')}
            options={themes.map((known) => [known, frame(known)])}
            value={theme}
            onChange={(chosen) => settings.set({ theme: chosen })}
          />
        </dd>
      </dl>
    </Card>
  );
}
