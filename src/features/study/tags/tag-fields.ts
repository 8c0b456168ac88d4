import { z } from 'zod';
import { text } from '../../../http/fields.ts';

export const maxTagLength = 30;
export const maxTagsOfSession = 5;
/** Of an author; also in the migration. */
export const maxTags = 200;

/** As a filter, it means records without tags. */
const noTag = 'none';
export const isNoTag = (name: string): boolean => name.normalize('NFKC').toLowerCase() === noTag;

export const tagName = text({ min: 1, max: maxTagLength }).meta({ example: 'mock exam' });

/** As the last part of an address, it would name another resource. */
const isDots = (name: string): boolean => name === '.' || name === '..';

export const isTagName = (name: string): boolean => name !== '' && !isNoTag(name) && !isDots(name);

export const newTagName = tagName
  .refine((name) => !isNoTag(name), { error: 'tag_reserved' })
  .refine((name) => !isDots(name), { error: 'tag_is_dots' });

export const sessionTags = z
  .array(newTagName)
  .max(maxTagsOfSession)
  .meta({
    description:
      "From the author's own tags, to which new names are added. Names that differ only in case, accents or width are the same tag.",
    example: ['mock exam'],
  });

/** In a cell of a file: separated by commas; one with a comma or a quote is quoted, as in a CSV file. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ');

export function splitTags(cell: string): string[] {
  const parts = cell.match(/\s*"(?:[^"]|"")*"\s*(?=,|$)|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .map((part) => (/^".*"$/s.test(part) && part.length > 1 ? part.slice(1, -1).replaceAll('""', '"').trim() : part))
    .filter((part) => part !== '');
}
