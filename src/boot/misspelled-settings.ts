/** How many letters must be added, removed, changed or swapped to make one name of the other. */
function distance(from: string, to: string): number {
  const table = Array.from({ length: from.length + 1 }, (_, i) => [i, ...Array<number>(to.length).fill(0)]);
  const at = (i: number, j: number) => table[i]?.[j] ?? Math.max(i, j);
  for (let i = 0; i <= from.length; i += 1) {
    for (let j = 1; j <= to.length; j += 1) {
      const change = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, change, ...(swapped ? [at(i - 2, j - 2) + 1] : [])];
      (table[i] ?? [])[j] = i === 0 ? j : Math.min(...steps);
    }
  }
  return at(from.length, to.length);
}

/** One line for each variable that is no setting and nearly has the name of one: it would be ignored in silence. */
export function misspelledSettings(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const strangers = Object.keys(environment).filter((name) => /^[A-Z_]{6,}$/.test(name) && !known.includes(name));
  return strangers.flatMap((name) => {
    const meant = known.find((setting) => distance(name, setting) <= (setting.length < 10 ? 1 : 2));
    return meant === undefined ? [] : [`${name} is not a setting and is ignored; did you mean ${meant}?`];
  });
}
