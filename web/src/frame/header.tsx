import { cx } from '../lib/cx.ts';
import { languageNames, locales, settings, useSettings } from '../lib/settings.ts';
import { Button } from '../ui/button.tsx';
import styles from './frame.module.css';

/** The header of pages without the sidebar, with the language. */
export function Header() {
  const { locale } = useSettings();
  return (
    <header className={cx(styles.header, 'no-print')}>
      <Brand />
      <div className={styles.languages}>
        {locales
          .filter((other) => other !== locale)
          .map((other) => (
            <Button key={other} look="quiet" onPress={() => settings.set({ locale: other })}>
              <span lang={other}>{languageNames[other]}</span>
            </Button>
          ))}
      </div>
    </header>
  );
}

/** The logo in the colours of the theme; the icon of the site has those of the light one. */
export function Brand() {
  return (
    <a className={styles.brand} href="/">
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
        <rect width="28" height="28" rx="7" fill="var(--brand)" />
        <rect y="7" width="15" height="4" rx="2" fill="var(--surface)" />
        <rect y="12.5" width="21" height="4" rx="2" fill="var(--spark)" />
        <rect y="18" width="10" height="4" rx="2" fill="var(--surface)" />
      </svg>
      <span>Studytrack</span>
    </a>
  );
}
