import { z } from 'zod';
import { id, idParams, itemEtag, text } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag, itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { Locale } from '../../../texts/index.ts';
import type { NoteRow } from './note-repository.ts';
import { absentVersion, type NoteService } from './note-service.ts';

const noteBody = z.object({
  text: text({ max: 2000, multiline: true }).meta({
    description: 'Plain text; "" removes the note.',
    example: 'Prefers to be called in the afternoon.',
  }),
});

const studentNote = z
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

function toNoteResponse(row: NoteRow | undefined): z.input<typeof studentNote> {
  if (row === undefined) return null;
  const { text, updated_at, updated_by, author } = row;
  return {
    text,
    updated_at,
    updated_by: updated_by === null || author === null ? null : { id: updated_by, display_name: author },
    etag: itemTag(row.row_version),
  };
}

function replyWith(row: NoteRow | undefined, locale: Locale) {
  const data = toNoteResponse(row);
  const etag =
    data === null || row === undefined ? itemTag(absentVersion) : contentVersionTag(row.row_version, data, locale);
  return { data, etag };
}

export function createNoteRoutes({ notes }: { notes: NoteService }): Operation[] {
  const base = {
    tag: 'Users',
    access: 'admin',
    scoped: true,
    path: '/api/admin/users/:id/note',
    params: idParams,
    data: studentNote,
    errors: ['RESOURCE_NOT_FOUND'],
  } as const;

  return [
    operation({
      ...base,
      method: 'get',
      id: 'getStudentNote',
      summary: 'Get the note about a student',
      description: 'Of administrators for each other; the user does not see it. Null without one.',
      handler: async ({ actor, params, request }) => replyWith(await notes.find(actor, params.id), request.locale),
    }),

    operation({
      ...base,
      method: 'put',
      id: 'saveStudentNote',
      summary: 'Write the note about a student',
      description: 'An empty text removes it. Its absence has an `ETag`, too.',
      body: noteBody,
      message: 'student_note_saved',
      conditional: true,
      guard: ({ actor, params }) => notes.requireSubject(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) =>
        replyWith(await notes.save(actor, params.id, body.text, expectedVersion), request.locale),
    }),
  ];
}
