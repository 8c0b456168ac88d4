import { useMemo } from 'react';
import { chineseText } from './language-files.ts';
import { type Locale, useSettings } from './settings.ts';

/**
 * A text, or its plural forms by `count`. Chinese has one form, which the build moves to a file of its own and replaces by a
 * number; the traditional texts are a file that is made from these.
 */
type Text = { readonly en: string | { readonly one: string; readonly other: string }; readonly zh: string | number };
/** Texts by key; a missing translation does not compile. */
export type Catalogue = Readonly<Record<string, Text>>;
export type Params = Readonly<Record<string, string | number>>;
export type Translate<C extends Catalogue> = (key: keyof C & string, params?: Params) => string;

const plural = new Intl.PluralRules('en');

export function translate(text: Text, locale: Locale, params: Params = {}): string {
  const form = (locale === 'en' ? undefined : chineseText(locale, text.zh)) ?? text.en;
  const template =
    typeof form === 'string' ? form : form[plural.select(Number(params['count'])) === 'one' ? 'one' : 'other'];
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/** Translates a catalogue's texts; rerenders when the language changes. */
export function useTexts<C extends Catalogue>(catalogue: C): Translate<C> {
  const { locale } = useSettings();
  return useMemo(
    () => (key, params) => {
      const text = catalogue[key];
      return text === undefined ? key : translate(text, locale, params);
    },
    [catalogue, locale],
  );
}
