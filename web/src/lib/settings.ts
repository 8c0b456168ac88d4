import { useSyncExternalStore } from 'react';

export type Locale = 'en' | 'zh';
export type Theme = 'system' | 'light' | 'dark';
/** `keys`: whether single-key shortcuts are enabled. */
export type Settings = { readonly locale: Locale; readonly theme: Theme; readonly keys: boolean };

const key = 'studytrack.settings';
const listeners = new Set<() => void>();
/** The language that the service negotiated for the page. */
const pageLocale: Locale = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
let current = load();
apply();

function load(): Settings {
  const stored = read();
  return {
    locale: stored['locale'] === 'en' || stored['locale'] === 'zh' ? stored['locale'] : pageLocale,
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    keys: stored['keys'] !== false,
  };
}

function read(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {}; // storage is blocked, or the value is invalid
  }
}

function apply(): void {
  document.documentElement.lang = current.locale === 'zh' ? 'zh-CN' : 'en';
  document.documentElement.dataset['theme'] = current.theme;
}

/** Language, theme and shortcuts of this device, synchronized between tabs. */
export const settings = {
  get: () => current,
  set(changed: Partial<Settings>): void {
    current = { ...current, ...changed };
    try {
      localStorage.setItem(key, JSON.stringify(current));
    } catch {
      // lasts as long as the page
    }
    apply();
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

window.addEventListener('storage', (event) => {
  if (event.key !== key) return;
  current = load();
  apply();
  for (const listener of listeners) listener();
});

export const useSettings = () => useSyncExternalStore(settings.subscribe, settings.get);
