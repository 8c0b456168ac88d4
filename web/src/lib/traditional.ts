import file from '../languages/zh-Hant.json?url';

let texts: Readonly<Record<string, string>> = {};

/** Loads the texts in traditional Chinese; until then, and if that fails, they are simplified. */
export async function loadTraditional(): Promise<void> {
  if (Object.keys(texts).length > 0) return;
  texts = await fetch(file)
    .then((response) => (response.ok ? response.json() : {}))
    .catch(() => ({}));
}

export const traditional = (simplified: string): string => texts[simplified] ?? simplified;
