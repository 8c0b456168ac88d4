import icon from '../icon.svg';
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

export function Brand() {
  return (
    <a className={styles.brand} href="/">
      <img src={icon} alt="" width="28" height="28" />
      <span>Studytrack</span>
    </a>
  );
}
