import { useSyncExternalStore } from 'react';
import { withTexts } from './language-files.ts';
import { deviceStorage } from './storage.ts';

export const locales = ['en', 'zh', 'zh-Hant'] as const;
export type Locale = (typeof locales)[number];
export const languageTags = { en: 'en-GB', zh: 'zh-CN', 'zh-Hant': 'zh-TW' } as const satisfies Record<Locale, string>;
/** Their own names. */
export const languageNames = { en: 'English', zh: '中文', 'zh-Hant': '繁體中文' } as const satisfies Record<
  Locale,
  string
>;
export const isChinese = (locale: Locale): boolean => locale !== 'en';
export type Theme = 'system' | 'light' | 'dark';
/** `keys`: whether single-key shortcuts are enabled. */
export type Settings = { readonly locale: Locale; readonly theme: Theme; readonly keys: boolean };

const key = 'studytrack.settings';
const listeners = new Set<() => void>();
/** The language that the service negotiated for the page. */
const { lang } = document.documentElement;
const pageLocale: Locale = lang === 'zh-Hant' ? 'zh-Hant' : lang.startsWith('zh') ? 'zh' : 'en';
let current = load();
/** What was chosen last; `current` follows when its texts are loaded. */
let wanted = current;
apply();
void withTexts(current.locale, () => undefined); // while the rest of the application is being loaded

function load(): Settings {
  const { locale, theme, keys } = Object(deviceStorage.read(key));
  return {
    locale: locales.find((known) => known === locale) ?? pageLocale,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    keys: keys !== false,
  };
}

function apply(): void {
  document.documentElement.lang = current.locale === 'zh' ? 'zh-CN' : current.locale;
  document.documentElement.dataset['theme'] = current.theme;
}

function show(next: Settings): void {
  wanted = next;
  void withTexts(next.locale, () => {
    if (wanted !== next) return;
    current = next;
    apply();
    for (const listener of listeners) listener();
  });
}

/** Language, theme and shortcuts of this device, synchronized between tabs. */
export const settings = {
  get: () => current,
  set(changed: Partial<Settings>): void {
    const next = { ...wanted, ...changed };
    deviceStorage.write(key, next);
    show(next);
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

window.addEventListener('storage', (event) => {
  if (event.key === key) show(load());
});

export const useSettings = () => useSyncExternalStore(settings.subscribe, settings.get);
