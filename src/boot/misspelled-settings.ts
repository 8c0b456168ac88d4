import { nearestName } from '../lib/edit-distance.ts';

export function misspelledSettings(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const unknown = Object.keys(environment).filter((name) => /^[A-Z_]{6,}$/.test(name) && !known.includes(name));
  return unknown.flatMap((name) => {
    const setting = nearestName(name, known);
    return setting === undefined ? [] : [`${name} is not a setting and is ignored; did you mean ${setting}?`];
  });
}
