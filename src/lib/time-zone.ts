import { LRUCache } from 'lru-cache';

/** The IANA names of zones for which runtimes keep a former name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Zones that people may mean by an abbreviation. Libraries read these differently, or as an offset without summer time. */
const suggestions: Readonly<Record<string, string>> = {
  AEST: 'Australia/Sydney',
  BST: 'Europe/London',
  CDT: 'America/Chicago',
  CEST: 'Europe/Paris',
  CET: 'Europe/Paris',
  CST: 'Asia/Shanghai',
  EDT: 'America/New_York',
  EEST: 'Europe/Athens',
  EET: 'Europe/Athens',
  EST: 'America/New_York',
  HKT: 'Asia/Hong_Kong',
  HST: 'Pacific/Honolulu',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  MDT: 'America/Denver',
  MET: 'Europe/Paris',
  MSK: 'Europe/Moscow',
  MST: 'America/Denver',
  NZST: 'Pacific/Auckland',
  PDT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  SGT: 'Asia/Singapore',
  WET: 'Europe/Lisbon',
};

const abbreviation = /^(?!(?:UTC|GMT|UCT|PRC|ROC|ROK)$)[A-Z]{3}(?:\d[A-Z]{3})?$/;

/** Other abbreviations that some libraries read as a zone. */
const otherAbbreviations = new Set(
  'ACT AET AGT ART AST BET CAT CNT CTT EAT ECT IET MIT NET NST PLT PNT PRT SST VST'.split(' '),
);

const isAbbreviation = (upper: string): boolean => suggestions[upper] !== undefined || abbreviation.test(upper);

/** A name to use instead of an abbreviation; undefined for other texts. */
export function suggestedZone(name: string): string | undefined {
  const upper = name.toUpperCase();
  if (!isAbbreviation(upper)) return undefined;
  const known = suggestions[upper] ?? suggestions[upper.slice(0, 3)];
  return known ?? (otherAbbreviations.has(upper) ? 'UTC' : undefined);
}

const canonical = new LRUCache<string, { zone: string | undefined }>({
  max: 1000,
  memoMethod: (name) => {
    try {
      const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
      return { zone: renamed[timeZone] ?? timeZone };
    } catch {
      return { zone: undefined };
    }
  },
});

/** The IANA name of a zone; undefined for unknown names, abbreviations and offsets. */
export function canonicalZone(name: string): string | undefined {
  const isName = /^[A-Z]/i.test(name) && !name.startsWith('SystemV/'); // newer runtimes also accept offsets
  return isName && !isAbbreviation(name.toUpperCase()) ? canonical.memo(name).zone : undefined;
}
