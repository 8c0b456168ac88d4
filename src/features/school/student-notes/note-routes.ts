import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag, itemTag } from '../../../http/reply.ts';
import type { Locale } from '../../../texts/index.ts';
import type { NoteRow } from './note-repository.ts';
import { noteBody, studentNote, toNoteResponse } from './note-schemas.ts';
import { absentVersion, type NoteService } from './note-service.ts';

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
