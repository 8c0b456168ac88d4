/** The first character of each initial letter in pinyin order. No syllable begins with i, u or v. */
const first = [...'阿八嚓咑妸发旮哈丌咔垃妈拏噢妑七呥仨他屲夕丫帀'];
const letters = 'abcdefghjklmnopqrstwxyz';
/** Initials of other readings, for characters in subjects and surnames. */
const alsoRead: Readonly<Record<string, string>> = {
  乐: 'y',
  会: 'k',
  单: 's',
  曾: 'z',
  解: 'x',
  长: 'c',
  重: 'c',
  行: 'h',
  朝: 'z',
  弹: 't',
  调: 't',
  传: 'z',
  查: 'z',
  仇: 'q',
  盖: 'g',
  朴: 'p',
  系: 'j',
  校: 'j',
  参: 's',
  降: 'x',
  角: 'j',
  着: 'z',
  藏: 'c',
  区: 'o',
};
const { compare } = new Intl.Collator('zh-u-co-pinyin');
const known = new Map<string, string>();

/** Initial letters of the character's readings. */
function lettersOf(character: string): string {
  let found = known.get(character);
  if (found === undefined) {
    const index = first.findLastIndex((other) => compare(other, character) <= 0);
    found = (letters[index] ?? '') + (alsoRead[character] ?? '');
    known.set(character, found);
  }
  return found;
}

/** The possible initials of each Chinese character and of each other word: 线性代数 II is x x d s i. */
export const initialsOf = (text: string): string[] =>
  (text.match(/\p{Script=Han}|[^\p{Script=Han}\P{L}]+|\d+/gu) ?? []).map((part) =>
    /\p{Script=Han}/u.test(part) ? lettersOf(part) : part.charAt(0).toLowerCase(),
  );
