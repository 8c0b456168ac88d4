import { initialsOf } from './pinyin.ts';

/** The best rank of the names: 0 prefix, 1 of a word, 2 of the initials, 3 substring, 4 within the initials. */
export function rank(typed: string, names: readonly string[]): number | undefined {
  const query = typed.trim().toLowerCase();
  const ranks = query === '' ? [0] : names.flatMap((name) => rankOf(query, name) ?? []);
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

function rankOf(query: string, name: string): number | undefined {
  const text = name.toLowerCase();
  const at = text.indexOf(query);
  if (at === 0) return 0;
  if (at > 0 && /[\s·/(-]/.test(text.charAt(at - 1))) return 1;
  const initial = indexInInitials(query, name);
  if (initial === 0) return 2;
  if (at > 0) return 3;
  return initial > 0 ? 4 : undefined;
}

/** Input methods separate the letters being composed: x'x'd's. */
function indexInInitials(query: string, name: string): number {
  const letters = query.replace(/['\s]/g, '');
  if (!/^[a-z0-9]+$/.test(letters)) return -1;
  const initials = initialsOf(name);
  return initials.findIndex((_, start) =>
    [...letters].every((letter, index) => initials[start + index]?.includes(letter) === true),
  );
}
