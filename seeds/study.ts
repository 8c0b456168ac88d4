import { type Person, tagsOfNotes } from './school.ts';

export type Subject = { id: number; days: readonly [from: number, to: number]; notes: readonly string[] };
export type MadeUpRecord = {
  project_id: number;
  started_at: Date;
  ended_at: Date;
  note: string;
  tag: string | undefined;
};

const minute = 60_000;
const day = 24 * 60 * minute;

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Sixteen weeks of study of one student, oldest first: more on weekdays, one to three records a day around the usual hour, none
 * overlapping and none in the future.
 */
export function makeUpStudy(
  person: Person,
  subjects: readonly Subject[],
  now: Date,
  random: () => number,
): MadeUpRecord[] {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const records: MadeUpRecord[] = [];
  const localMidnight =
    Math.floor((now.getTime() + person.ahead * 60 * minute) / day) * day - person.ahead * 60 * minute;
  for (let ago = 112; ago >= (person.silent ?? 0); ago -= 1) {
    const midnight = localMidnight - ago * day;
    const weekend = [0, 6].includes(new Date(midnight + person.ahead * 60 * minute).getUTCDay());
    if (random() > person.diligence * (weekend ? 0.6 : 1)) continue;
    const open = subjects.filter(({ days: [from, to] }) => ago <= from && ago >= to);
    let begins = midnight + (person.begins * 60 + 5 * Math.floor(random() * 18)) * minute;
    for (let left = 1 + Math.floor(random() * 2.4); left > 0; left -= 1) {
      const ends = begins + 5 * (4 + Math.floor(random() * random() * 22)) * minute;
      const subject = pick(open);
      if (subject === undefined || ends > now.getTime()) break;
      const note = pick(subject.notes) ?? '';
      records.push({
        project_id: subject.id,
        started_at: new Date(begins),
        ended_at: new Date(ends),
        note,
        tag: tagsOfNotes[note],
      });
      begins = ends + 5 * (1 + Math.floor(random() * 6)) * minute;
    }
  }
  return records;
}
