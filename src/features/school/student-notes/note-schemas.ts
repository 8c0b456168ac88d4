import { z } from 'zod';
import { id, itemEtag, text } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { NoteRow } from './note-repository.ts';

export const noteBody = z.object({
  text: text({ max: 2000, multiline: true }).meta({
    description: 'Plain text; "" removes the note.',
    example: 'Prefers to be called in the afternoon.',
  }),
});

export const studentNote = z
  .object({
    text: z.string().meta({ example: 'Prefers to be called in the afternoon.' }),
    updated_at: timestamp,
    updated_by: z
      .object({ id, display_name: z.string().meta({ example: 'Head of year' }) })
      .nullable()
      .meta({ description: 'Who wrote it last; null if that account was deleted.' }),
    etag: itemEtag,
  })
  .meta({ id: 'StudentNote' })
  .nullable();

export function toNoteResponse(row: NoteRow | undefined): z.input<typeof studentNote> {
  if (row === undefined) return null;
  const { text, updated_at, updated_by, author } = row;
  return {
    text,
    updated_at,
    updated_by: updated_by === null || author === null ? null : { id: updated_by, display_name: author },
    etag: itemTag(row.row_version),
  };
}
