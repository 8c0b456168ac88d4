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

/** The application with folders of its own for uploads. */
export async function startImageApp({ settings, ...options }: TestAppOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'image-app-'));
  const folders = { DATA_DIR: join(folder, 'data'), UPLOADS_DIR: join(folder, 'uploads') };
  const app = await startTestApp({ ...options, settings: { ...folders, ...settings } });
  const names = (path: string): Promise<string[]> => readdir(path).catch(() => []);

  return {
    ...app,
    folders,
    /** Everything in the local store, also what is hidden or half-written. */
    stored: () => names(join(folders.UPLOADS_DIR, 'projects')),
    /** What lies in the temporary folder. */
    incoming: () => names(join(folders.DATA_DIR, 'incoming')),
    /** Whether the temporary folder stays untouched meanwhile: no file comes or goes, were it only for a moment. */
    receivesNothing: async (work: () => Promise<unknown>): Promise<boolean> => {
      const incoming = join(folders.DATA_DIR, 'incoming');
      const changedAt = async () => (await stat(incoming, { bigint: true })).mtimeNs;
      await expect.poll(() => names(incoming)).toEqual([]); // what was received before is removed after its answer
      const before = await changedAt();
      await work();
      return before === (await changedAt());
    },
    createProject: (owner: TestUser) => createProject(app, owner, 'Painted'),
    assign: (projectId: number, user: TestUser) => assign(app, projectId, user),
    upload: (user: TestUser | undefined, projectId: number, bytes: Buffer, name = 'photo.png', field = 'image') =>
      app.as(user).post(`/api/projects/${projectId}/image`).attach(field, bytes, name),
    /** An upload whose second half is still to come. */
    halfUpload: (user: TestUser, projectId: number, bytes: Buffer) => {
      const form = multipart({ name: 'image', filename: 'photo.png', data: bytes });
      const url = `${app.origin}/api/projects/${projectId}/image`;
      return openUpload(url, user.token, form, form.body.length >> 1);
    },
    imageOf: async (projectId: number): Promise<string | null | undefined> => {
      const [row] = await app.query<{ image: string | null }>('SELECT image FROM projects WHERE id = $1', [projectId]);
      return row?.image;
    },
    /** Asks for exactly this path, without a token, as a browser loads a picture. `fetch` would tidy it up first. */
    load: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      load(app.origin, { path, headers, method }),
    stop: async () => {
      await app.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ImageApp = Awaited<ReturnType<typeof startImageApp>>;

/** The PNG made larger by a chunk that no decoder looks at. */
export function padPng(png: Buffer, size: number): Buffer {
  const end = png.subarray(-12);
  return Buffer.concat([png.subarray(0, -12), pngChunk('prVt', Buffer.alloc(size - png.length - 12)), end]);
}

/** The fields that a refusal names. */
export function errorFields(body: { error?: { details?: { field: string }[] } }): string[] {
  return (body.error?.details ?? []).map(({ field }) => field);
}

type Loaded = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

function load(origin: string, options: RequestOptions): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const asked = request(origin, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
    });
    asked.once('error', reject).end();
  });
}
