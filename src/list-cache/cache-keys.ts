import type { z } from 'zod';
import { readQuery } from '../http/field-errors.ts';

type Cacheable = { id: string; query?: z.ZodObject };
type Request = { locale: string; url: string };

/** Cached canonical URLs: parsing is the most expensive part of a cached response. */
const maxUrls = 500;

/** Cache keys by user, language, path and query; they ignore unknown or empty parameters and the order of parameters. */
export function createCacheKeys({ id, query }: Cacheable): (userId: number, request: Request) => string {
  const parameters = Object.keys(query?.shape ?? {}).sort();
  const known: ReadonlySet<string> = new Set(parameters);
  let canonical = new Map<string, string>();

  function canonicalUrl(url: string): string {
    const found = canonical.get(url);
    if (found !== undefined) return found;
    const text = parse(url);
    if (canonical.size >= maxUrls) canonical = new Map();
    if (url.length <= 256) canonical.set(url, text);
    return text;
  }

  function parse(url: string): string {
    const mark = url.indexOf('?');
    if (mark === -1) return url;
    const path = url.slice(0, mark);
    const query = readQuery(url.slice(mark + 1), known);
    if (!query.ok) return path; // the request will be rejected
    const given = parameters.filter((name) => query.value[name] !== undefined);
    if (given.length === 0) return path;
    return `${path}?${given.map((name) => `${name}=${JSON.stringify(query.value[name])}`).join('&')}`;
  }

  return (userId, { locale, url }) => `${id} ${userId} ${locale} ${canonicalUrl(url)}`;
}
