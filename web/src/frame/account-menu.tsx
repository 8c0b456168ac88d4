import { useLocation } from 'wouter';
import { cx } from '../lib/cx.ts';
import { useAccount } from '../lib/session.ts';
import { settings, type Theme, useSettings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { href } from '../routes.ts';
import { Menu } from '../ui/menu.tsx';
import { Person } from '../ui/person.tsx';
import styles from './frame.module.css';
import { headerMessages } from './header-messages.ts';
import { frameMessages } from './messages.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const pages = {
  user: ['me', 'help'],
  admin: ['projects', 'users', 'audit', 'webhooks', 'backgroundWork', 'me', 'help'],
} as const;

type Props = { onLocale: (locale: 'en' | 'zh') => void; onSignOut: () => void };

/** The signed-in user, with the pages, language and theme that are not in the navigation. */
export function AccountMenu({ onLocale, onSignOut }: Props) {
  const t = useTexts(frameMessages);
  const language = useTexts(headerMessages);
  const { role, id, display_name: name, username } = useAccount();
  const { locale, theme } = useSettings();
  const [, navigate] = useLocation();
  const other = locale === 'zh' ? 'en' : 'zh';

  function act(action: string): void {
    const page = pages[role].find((known) => known === action);
    const chosen = themes.find((known) => known === action);
    if (page !== undefined) navigate(href(page));
    else if (chosen !== undefined) settings.set({ theme: chosen });
    else if (action === 'language') {
      settings.set({ locale: other });
      onLocale(other);
    } else onSignOut();
  }

  return (
    <div className={cx(styles.me)}>
      <Menu
        label={t('account')}
        entries={[
          ...pages[role].map((page) => ({ id: page, text: t(page) })),
          { id: 'language', text: language('other_language'), lang: other === 'zh' ? 'zh-CN' : 'en' },
          { id: 'out', text: t('sign_out') },
        ]}
        options={{ label: t('theme'), chosen: theme, entries: themes.map((known) => ({ id: known, text: t(known) })) }}
        onAction={act}
        trigger={{
          look: 'quiet',
          children: (
            <>
              <span className="visually-hidden">{`${t('account')}: `}</span>
              <Person id={id} name={name} detail={username} />
            </>
          ),
        }}
      />
    </div>
  );
}
