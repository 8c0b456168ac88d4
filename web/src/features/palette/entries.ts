import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { frameMessages } from '../../frame/messages.ts';
import { navItemsOf } from '../../frame/navigation.tsx';
import { withTexts } from '../../lib/language-files.ts';
import { useIsLimited } from '../../lib/session.ts';
import { isChinese, type Locale, languageNames, locales, settings, type Theme } from '../../lib/settings.ts';
import { actionOf, type Shortcut, shortcuts } from '../../lib/shortcuts.ts';
import { type Catalogue, translate } from '../../lib/texts.ts';
import { href, type RouteName } from '../../routes.ts';
import { shortcutMessages } from '../help/messages.ts';
import { paletteMessages } from './messages.ts';

export type Kind = 'add' | 'command' | 'page' | 'project' | 'start' | 'person';
export type Entry = {
  id: string;
  kind: Kind;
  /** Names to search by; the first is shown. */
  names: readonly string[];
  /** The equivalent shortcut. */
  keys?: string;
  run: () => void;
};

export type Commands = {
  role: 'user' | 'admin';
  onLocale: (locale: Locale) => void;
  onSignOut: () => void;
};

type Page = readonly [
  name: Extract<RouteName, 'newProject' | 'importRecords' | 'newUsers' | 'roster' | 'me' | 'trash'>,
  text: keyof typeof paletteMessages,
];
const morePages: Readonly<Record<'user' | 'admin', readonly Page[]>> = {
  user: [
    ['newProject', 'new_project'],
    ['importRecords', 'import'],
  ],
  admin: [
    ['newUsers', 'new_users'],
    ['roster', 'roster'],
    ['newProject', 'new_project'],
    ['trash', 'trash'],
    ['me', 'me'],
  ],
};
const settingsParts = [
  ['study', paletteMessages.goals],
  ['sign-in', frameMessages.sign_ins],
] as const;
const themes: readonly Theme[] = ['system', 'light', 'dark'];
const paletteShortcuts: readonly Shortcut[] = ['palette', 'search'];

/** Commands of this page and of all pages, named in both languages, the user's own first. */
export function useCommands({ role, onLocale, onSignOut }: Commands): Entry[] {
  const isLimited = useIsLimited();
  const [, navigate] = useLocation();
  const { locale } = settings.get();
  const other = isChinese(locale) ? 'en' : 'zh';
  const [hasOther, setHasOther] = useState(false);
  useEffect(() => void withTexts(other, () => setHasOther(true)), [other]);
  return useMemo(() => {
    const languages: readonly Locale[] = hasOther ? [locale, other] : [locale];
    const both = (text: Catalogue[string]) => languages.map((language) => translate(text, language));
    const others = locales.filter((known) => known !== locale);
    const command = (id: keyof typeof paletteMessages, run: () => void): Entry => ({
      id,
      kind: 'command',
      names: both(paletteMessages[id]),
      run,
    });
    const here = Object.entries(shortcuts).flatMap(([id, keys]): Entry[] => {
      const [name, run] = [id as Shortcut, actionOf(keys)]; // a key of `shortcuts`
      if (run === undefined || paletteShortcuts.includes(name)) return [];
      return [{ id, kind: 'command', names: both(shortcutMessages[name]), keys, run }];
    });
    const navPages = navItemsOf(role, isLimited).map(
      ({ name, text, letter }): Entry => ({
        id: `page ${name}`,
        kind: 'page',
        names: both(frameMessages[text ?? name]),
        ...(letter !== undefined && { keys: `g ${letter}` }),
        run: () => navigate(href(name)),
      }),
    );
    const pages = morePages[role]
      .filter(([name]) => !(isLimited && name === 'roster'))
      .map(
        ([name, text]): Entry => ({
          id: `page ${name}`,
          kind: 'page',
          names: both(paletteMessages[text]),
          run: () => navigate(href(name)),
        }),
      );
    const ofSettings = settingsParts.map(
      ([part, text]): Entry => ({
        id: `page ${part}`,
        kind: 'page',
        names: both(text),
        run: () => navigate(href('mySettings', { part })),
      }),
    );
    return [
      ...here,
      ...navPages,
      ...pages,
      ...ofSettings,
      ...themes.map((theme) => command(`theme_${theme}`, () => settings.set({ theme }))),
      ...others.map((language): Entry => {
        const names = [...both(paletteMessages[`language_${language}`]), languageNames[language]];
        const run = () => {
          settings.set({ locale: language });
          onLocale(language);
        };
        return { id: `language_${language}`, kind: 'command', names, run };
      }),
      command('sign_out', onSignOut),
    ];
  }, [hasOther, locale, other, role, isLimited, onLocale, onSignOut, navigate]);
}
