import icon from '../icon.svg';
import { cx } from '../lib/cx.ts';
import { settings, useSettings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from '../ui/button.tsx';
import styles from './frame.module.css';
import { headerMessages } from './header-messages.ts';

/** The header of pages without the sidebar, with the language. */
export function Header() {
  const t = useTexts(headerMessages);
  const { locale } = useSettings();
  const other = locale === 'zh' ? 'en' : 'zh';
  return (
    <header className={cx(styles.header, 'no-print')}>
      <Brand />
      <Button look="quiet" onPress={() => settings.set({ locale: other })}>
        <span lang={other === 'zh' ? 'zh-CN' : 'en'}>{t('other_language')}</span>
      </Button>
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
