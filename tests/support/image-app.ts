import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { multipart, openUpload } from './multipart.ts';
import { pngChunk } from './pictures.ts';
import { assign, createProject } from './records.ts';
import { startTestApp, type TestAppOptions, type TestUser } from './test-app.ts';

export const megabytes5 = 5 * 1024 * 1024;

/** The application with its own upload folders. */
export async function startImageApp({ settings, ...options }: TestAppOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'image-app-'));
  const folders = { DATA_DIR: join(folder, 'data'), UPLOADS_DIR: join(folder, 'uploads') };
  const app = await startTestApp({ ...options, settings: { ...folders, ...settings } });
  const names = (path: string): Promise<string[]> => readdir(path).catch(() => []);

  return {
    ...app,
    folders,
    /** All files of the local store, including hidden and partially written ones. */
    stored: () => names(join(folders.UPLOADS_DIR, 'projects')),
    /** The files in the temporary folder. */
    incoming: () => names(join(folders.DATA_DIR, 'incoming')),
    /** Whether no file is created in the temporary folder during the work, not even briefly. */
    receivesNothing: async (work: () => Promise<unknown>): Promise<boolean> => {
      const incoming = join(folders.DATA_DIR, 'incoming');
      const changedAt = async () => (await stat(incoming, { bigint: true })).mtimeNs;
      await expect.poll(() => names(incoming)).toEqual([]); // earlier files are removed after the response
      const before = await changedAt();
      await work();
      return before === (await changedAt());
    },
    createProject: (owner: TestUser) => createProject(app, owner, 'Painted'),
    assign: (projectId: number, user: TestUser) => assign(app, projectId, user),
    upload: (user: TestUser | undefined, projectId: number, bytes: Buffer, name = 'photo.png', field = 'image') =>
      app.as(user).post(`/api/projects/${projectId}/image`).attach(field, bytes, name),
    /** An upload whose second half has not been sent. */
    halfUpload: (user: TestUser, projectId: number, bytes: Buffer) => {
      const form = multipart({ name: 'image', filename: 'photo.png', data: bytes });
      const url = `${app.origin}/api/projects/${projectId}/image`;
      return openUpload(url, user.token, form, form.body.length >> 1);
    },
    imageOf: async (projectId: number): Promise<string | null | undefined> => {
      const [row] = await app.query<{ image: string | null }>('SELECT image FROM projects WHERE id = $1', [projectId]);
      return row?.image;
    },
    /** Requests exactly this path without a token, as a browser loads an image; `fetch` would normalise it. */
    load: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      load(app.origin, { path, headers, method }),
    stop: async () => {
      await app.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ImageApp = Awaited<ReturnType<typeof startImageApp>>;

/** The PNG enlarged by a chunk that decoders ignore. */
export function padPng(png: Buffer, size: number): Buffer {
  const end = png.subarray(-12);
  return Buffer.concat([png.subarray(0, -12), pngChunk('prVt', Buffer.alloc(size - png.length - 12)), end]);
}

/** The invalid fields in an error response. */
export function errorFields(body: { error?: { details?: { field: string }[] } }): string[] {
  return (body.error?.details ?? []).map(({ field }) => field);
}

type Loaded = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

function load(origin: string, options: RequestOptions): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
    });
    sent.once('error', reject).end();
  });
}
