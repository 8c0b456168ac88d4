import { PreconditionFailedError, ValidationError } from '../texts/errors.ts';

const tag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const list = new RegExp(`^\\s*${tag}(?:\\s*,\\s*${tag})*\\s*$`);
const maxVersions = 10;

/**
 * The versions in `If-Match`, of which one must be current; undefined without one or with `*`, when the last write wins. A proxy that
 * compresses weakens the tag or appends to it: versions are exact all the same. Tags of other resources are -1, which no version equals.
 */
export function expectedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!list.test(header)) throw ValidationError.of('If-Match', 'invalid_if_match');
  const versions = Array.from(header.matchAll(/"([^"]*)"/g), ([, text = '']) => {
    const [, digits] = /^(\d{1,15})(?:[.;-].*)?$/.exec(text) ?? [];
    return digits === undefined ? -1 : Number(digits);
  });
  const distinct = [...new Set(versions)];
  if (distinct.length > maxVersions) throw ValidationError.of('If-Match', 'invalid_if_match');
  return distinct;
}

/** Runs `work` with each expected version until one is current; each time is a transaction of its own. */
export async function withVersions<T>(
  versions: readonly number[] | undefined,
  work: (expectedVersion: number | undefined) => Promise<T>,
): Promise<T> {
  const [first, ...others] = versions ?? [];
  if (others.length === 0) return work(first);
  return work(first).catch((error: unknown) => {
    if (error instanceof PreconditionFailedError) return withVersions(others, work);
    throw error;
  });
}
