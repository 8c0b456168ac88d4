import file from '../languages/zh-Hant.json?url';

let texts: Readonly<Record<string, string>> | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  try {
    texts = await (await fetch(file)).json();
  } catch {
    loading = undefined; // the next call tries again
  }
}

/** Calls `run` when the texts of a language are there. If those in traditional Chinese cannot be loaded, they are simplified. */
export async function withTexts(locale: string, run: () => void): Promise<void> {
  if (locale === 'zh-Hant') {
    loading ??= load();
    await loading;
  }
  run();
}

export const traditional = (simplified: string): string => texts?.[simplified] ?? simplified;
