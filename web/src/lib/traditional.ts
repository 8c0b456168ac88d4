import file from '../languages/zh-Hant.json?url';

let texts: Readonly<Record<string, string>> | undefined;

/** Calls `run` when the texts of a language are there. If those in traditional Chinese cannot be loaded, they are simplified. */
export async function withTexts(locale: string, run: () => void): Promise<void> {
  if (locale === 'zh-Hant')
    texts ??= await fetch(file)
      .then((response) => response.json())
      .catch(() => undefined);
  run();
}

export const traditional = (simplified: string): string => texts?.[simplified] ?? simplified;
