import type { z } from 'zod';
import { readQuery } from '../http/validation/input.ts';

type Cacheable = { id: string; query?: z.ZodObject };
type Request = { locale: string; url: string };

/** URLs whose canonical query is stored: parsing costs more than all else about a cached response. */
const maxUrls = 500;

/** Computes cache keys by reader, language and query; unknown or empty parameters and their order do not count. */
export function createCacheKeys({ id, query }: Cacheable): (userId: number, request: Request) => string {
  const parameters = Object.keys(query?.shape ?? {}).sort();
  const known: ReadonlySet<string> = new Set(parameters);
  let canonical = new Map<string, string>();

  function canonicalQuery(url: string): string {
    const found = canonical.get(url);
    if (found !== undefined) return found;
    const text = parse(url);
    if (canonical.size >= maxUrls) canonical = new Map();
    if (url.length <= 256) canonical.set(url, text);
    return text;
  }

  function parse(url: string): string {
    const mark = url.indexOf('?');
    if (mark === -1) return '';
    const query = readQuery(url.slice(mark + 1), known);
    if (!query.ok) return ''; // the request will be rejected
    const given = parameters.filter((name) => query.value[name] !== undefined);
    return given.map((name) => `${name}=${JSON.stringify(query.value[name])}`).join('&');
  }

  return (userId, { locale, url }) => `${id} ${userId} ${locale} ${canonicalQuery(url)}`;
}
