import { useLocation } from 'wouter';
import { cx } from '../lib/cx.ts';
import { useMarks } from '../lib/marks.ts';
import { useAccount } from '../lib/session.ts';
import { type Locale, languageNames, locales, settings, type Theme, useSettings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { href } from '../routes.ts';
import { Menu } from '../ui/menu.tsx';
import { Person } from '../ui/person.tsx';
import { frameMessages } from './messages.ts';
import styles from './tools.module.css';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const pages = {
  user: ['me', 'help'],
  admin: ['projects', 'users', 'audit', 'webhooks', 'backgroundWork', 'me', 'help'],
} as const;

type Props = { onLocale: (locale: Locale) => void; onSignOut: () => void };

/** The signed-in user, with the pages, language and theme that are not in the navigation. */
export function AccountMenu({ onLocale, onSignOut }: Props) {
  const t = useTexts(frameMessages);
  const marks = useMarks();
  const { role, id, display_name: name, username, admin_group_ids } = useAccount();
  const { locale, theme } = useSettings();
  const [, navigate] = useLocation();

  function act(action: string): void {
    const page = pages[role].find((known) => known === action);
    const chosen = themes.find((known) => known === action);
    const language = locales.find((known) => known === action);
    if (page !== undefined) navigate(href(page));
    else if (action === 'sign_ins') navigate(href('mySettings', { part: 'sign-in' }));
    else if (chosen !== undefined) settings.set({ theme: chosen });
    else if (language !== undefined) {
      settings.set({ locale: language });
      onLocale(language);
    } else onSignOut();
  }

  const count = admin_group_ids?.length;
  const scope = count === undefined ? t('administrator') : t(count === 0 ? 'for_no_class' : 'for_classes', { count });
  const detail = role === 'user' ? username : scope;

  return (
    <div className={cx(styles.me)}>
      <Menu
        label={t('account')}
        entries={[...pages[role].map((page) => ({ id: page, text: t(page) })), { id: 'sign_ins', text: t('sign_ins') }]}
        options={[
          {
            label: t('language'),
            chosen: locale,
            entries: locales.map((known) => ({ id: known, text: languageNames[known], lang: known })),
          },
          { label: t('theme'), chosen: theme, entries: themes.map((known) => ({ id: known, text: t(known) })) },
        ]}
        last={{ id: 'out', text: t('sign_out') }}
        onAction={act}
        trigger={{
          look: 'quiet',
          children: (
            <>
              <span className="visually-hidden">{`${t('account')}${marks.colon}`}</span>
              <Person id={id} name={name} detail={detail} />
            </>
          ),
        }}
      />
    </div>
  );
}
