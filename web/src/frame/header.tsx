import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import icon from '../icon.svg';
import { cx } from '../lib/cx.ts';
import { settings, type Theme, useSettings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from '../ui/button.tsx';
import styles from './frame.module.css';
import { headerMessages } from './header-messages.ts';

type Props = {
  children?: ReactNode;
  before?: ReactNode;
  after?: ReactNode;
  /** Called in addition to changing the page's language. */
  onLocale?: (locale: 'en' | 'zh') => void;
};

const icons = { system: Monitor, light: Sun, dark: Moon } as const;
const themes = ['system', 'light', 'dark'] as const;

/** The header of every page, with language and theme. */
export function Header({ children, before, after, onLocale }: Props) {
  const t = useTexts(headerMessages);
  const { locale, theme } = useSettings();
  const other = locale === 'zh' ? 'en' : 'zh';
  const ThemeIcon = icons[theme];
  return (
    <header className={cx(styles.header, 'no-print')}>
      <div className={styles.bar}>
        <a className={styles.brand} href="/">
          <img src={icon} alt="" width="28" height="28" />
          <span>Studytrack</span>
        </a>
        {children}
        <div className={styles.tools}>
          {before}
          <Button
            look="quiet"
            onPress={() => {
              settings.set({ locale: other });
              onLocale?.(other);
            }}
          >
            <span lang={other === 'zh' ? 'zh-CN' : 'en'}>{t('other_language')}</span>
          </Button>
          <label className={styles.theme}>
            <ThemeIcon size={18} aria-hidden="true" />
            <select
              aria-label={t('theme')}
              value={theme}
              onChange={(event) => settings.set({ theme: event.target.value as Theme })} // one of the options
            >
              {themes.map((id) => (
                <option key={id} value={id}>
                  {t(id)}
                </option>
              ))}
            </select>
          </label>
          {after}
        </div>
      </div>
    </header>
  );
}
