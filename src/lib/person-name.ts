/** Names in Chinese, Japanese and Korean writing begin with the family name and have no space. */
const isEastern = (name: string) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]+$/u.test(name);

/** The name to show of a person whose names are given in two parts. */
export function joinName(given: string, family: string): string {
  return isEastern(given) && isEastern(family) ? `${family}${given}` : `${given} ${family}`.trim();
}
