import { useSyncExternalStore } from 'react';

export type Locale = 'en' | 'zh';
export type Theme = 'system' | 'light' | 'dark';
/** `keys`: whether single letters are shortcuts on pages that have some. */
export type Settings = { readonly locale: Locale; readonly theme: Theme; readonly keys: boolean };

const key = 'studytrack.settings';
const listeners = new Set<() => void>();
/** The language that the service chose for the page, by what the browser asks for. */
const given: Locale = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
let current = load();
apply();

function load(): Settings {
  const stored = read();
  return {
    locale: stored['locale'] === 'en' || stored['locale'] === 'zh' ? stored['locale'] : given,
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    keys: stored['keys'] !== false,
  };
}

function read(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {}; // storage is forbidden, or something else wrote there
  }
}

function apply(): void {
  document.documentElement.lang = current.locale === 'zh' ? 'zh-CN' : 'en';
  document.documentElement.dataset['theme'] = current.theme;
}

/** Language, theme and shortcuts of this device; they change at once, here and in other tabs. */
export const settings = {
  get: () => current,
  set(changed: Partial<Settings>): void {
    current = { ...current, ...changed };
    try {
      localStorage.setItem(key, JSON.stringify(current));
    } catch {
      // for as long as the page is open
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
