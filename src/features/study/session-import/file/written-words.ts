/** Languages of the trackers whose files are read; their names of months and weekdays are those of the Unicode Consortium. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'ru',
  'uk',
  'cs',
  'sv',
  'da',
  'nb',
  'zh',
  'ja',
  'ko',
];

/** A word without accents, dots and case, as all tables of words have it. */
const plainWord = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .normalize('NFC')
    .toLowerCase();

/** Names of months (`count` 12) or weekdays (7) with their numbers from 0; a name with two meanings has both. */
function namesOf(part: 'month' | 'weekday', count: number): Map<string, Set<number>> {
  const names = new Map<string, Set<number>>();
  for (const language of languages)
    for (const style of ['long', 'short'] as const)
      for (const beside of [{}, { day: 'numeric', month: style }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...beside, [part]: style, timeZone: 'UTC' });
        for (let number = 0; number < count; number += 1) {
          // 1 February 2026 is a Sunday.
          const date = part === 'month' ? Date.UTC(2026, number, 1) : Date.UTC(2026, 1, 1 + number);
          const name = plainWord(format.formatToParts(date).find(({ type }) => type === part)?.value ?? '');
          if (!/\d/.test(name)) names.set(name, (names.get(name) ?? new Set()).add(number));
        }
      }
  return names;
}

let months: Map<string, Set<number>> | undefined;
let weekdays: Map<string, Set<number>> | undefined;

/** The month of a name, from 1; undefined for other words, and for a name that is two months in two languages. */
export function monthOf(name: string): number | undefined {
  months ??= namesOf('month', 12).set('sept', new Set([8]));
  const [month, other] = months.get(plainWord(name)) ?? [];
  return month === undefined || other !== undefined ? undefined : month + 1;
}

/** The weekdays that a word may name, from 0 for Sunday; undefined for other words. */
export function weekdaysOf(name: string): ReadonlySet<number> | undefined {
  weekdays ??= namesOf('weekday', 7);
  return weekdays.get(plainWord(name));
}

/**
 * Words for a part of the day, with its first and last hour: of the hours that 9 or 12 may be (9 or 21; 0, 12 or 24), the one in
 * this part is meant. Otherwise the time is refused: 晚上1:00 is on the next day, if it is anything.
 */
export const partsOfDay: readonly (readonly [words: string, first: number, last: number])[] = [
  ['a\\.? ?m\\.?|(?<=\\d) ?a|上午|午前|오전', 0, 11],
  ['p\\.? ?m\\.?|(?<=\\d) ?p|下午|午後|午后|오후', 12, 23],
  ['凌晨|淩晨|새벽', 0, 6],
  ['清晨|早晨|早上|早|아침', 4, 11],
  ['morgens|vorm(?:ittags?|\\.)', 4, 11],
  ['中午|mittags?', 11, 14],
  ['nachm(?:ittags?|\\.)', 12, 18],
  ['abends?', 17, 23],
  ['傍晚|저녁', 16, 22],
  ['晚上|晚间|晚|밤', 17, 24],
];

export const durationUnits = ['hours', 'minutes', 'seconds', 'milliseconds'] as const;
export type DurationUnit = (typeof durationUnits)[number];

/** Milliseconds and words of each unit, for headers (`Duration (s)`, 时长(秒)) and for durations (`1h 30m`). */
export const units: Record<DurationUnit, { milliseconds: number; words: readonly string[] }> = {
  hours: {
    milliseconds: 3_600_000,
    words:
      words(`h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren godz godzina godziny godzin ч час
      часа часов год година години годин timmar tim timer timme 小时 小時 个小时 個小時 時間 시간`),
  },
  minutes: {
    milliseconds: 60_000,
    words:
      words(`m min mins minute minutes minuten minuto minutos minuti minuta minuty minuter minutter мин минута минуты минут хв
      хвилина хвилини хвилин 分 分钟 分鐘 분`),
  },
  seconds: {
    milliseconds: 1000,
    words:
      words(`s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondo secondi sekund sekunda
      sekundy sekunder сек секунда секунды секунд с 秒 秒钟 秒鐘 초`),
  },
  milliseconds: {
    milliseconds: 1,
    words: words(
      'ms msec msecs millis millisecond milliseconds millisekunden millisecondes milisegundos millisecondi 毫秒 ミリ秒 밀리초',
    ),
  },
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/).map(plainWord);
}

const unitsByWord = new Map(durationUnits.flatMap((unit) => units[unit].words.map((word) => [word, unit] as const)));
export const unitOf = (word: string): DurationUnit | undefined => unitsByWord.get(plainWord(word));
