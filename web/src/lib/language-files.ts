/** Where the texts of the languages but English are; the build makes the files. */
const files: Readonly<Partial<Record<string, string>>> = import.meta.env.LANGUAGE_FILES ?? {};
const texts = new Map<string, readonly string[]>();
const loading = new Map<string, Promise<void>>();

async function load(locale: string, file: string): Promise<void> {
  try {
    texts.set(locale, await (await fetch(file)).json());
  } catch {
    loading.delete(locale); // the next call tries again
  }
}

/** Calls `run` when the texts of a language are there. If they cannot be loaded, they are in English. */
export async function withTexts(locale: string, run: () => void): Promise<void> {
  const file = files[locale];
  if (file !== undefined) {
    const started = loading.get(locale) ?? load(locale, file);
    loading.set(locale, started);
    await started;
  }
  run();
}

/** A Chinese text by its number; one that the build does not know is there itself. */
export const chineseText = (locale: string, text: string | number): string | undefined =>
  typeof text === 'string' ? text : texts.get(locale)?.[text];
