import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageApp, padPng, startImageApp } from '../../../support/image-app.ts';
import { multipart, postForm } from '../../../support/multipart.ts';
import { noise } from '../../../support/pictures.ts';
import { type TestUser, testSecret } from '../../../support/test-app.ts';

// Limits the file size to one megabyte, so that a write fails midway as on a full disk.
const blocks = 1_000_000 / 512;

let app: ImageApp;
let child: ChildProcess;
let owner: TestUser;
let project: number;
let upload: (bytes: Buffer) => ReturnType<typeof postForm>;
beforeAll(async () => {
  app = await startImageApp();
  owner = await app.createUser();
  project = await app.createProject(owner);
  const program = fileURLToPath(new URL('./small-disk-child.ts', import.meta.url));
  const command = `ulimit -f ${Math.floor(blocks)}; exec "$0" --import tsx "$@"`;
  child = spawn('sh', ['-c', command, process.execPath, program, testSecret, app.databaseUrl], {
    env: { ...process.env, ...app.folders, RATE_LIMIT_PER_MINUTE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await Promise.race([
    once(createInterface({ input: child.stdout ?? process.stdin }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the application exited with ${code}`))),
  ]);
  upload = (data) =>
    postForm(
      `http://127.0.0.1:${port}/api/projects/${project}/image`,
      owner.token,
      multipart({ name: 'image', filename: 'a.png', data }),
    );
});
afterAll(async () => {
  if (child.kill()) await once(child, 'exit');
  await app.stop();
});

/** Each row is slightly brighter than the one above: tiny as long as rows are stored as differences. */
async function growingPng(): Promise<Buffer> {
  const width = 4_000;
  const row = await noise(width, 1).raw().toBuffer();
  const rows = Array.from({ length: 250 }, (_, brighter) => row.map((value) => value + brighter));
  return sharp(Buffer.concat(rows), { raw: { width, height: rows.length, channels: 3 } })
    .png({ adaptiveFiltering: true })
    .toBuffer();
}

test('a full disk returns 500, the former image remains, and no partial file is left', async () => {
  const small = await noise(60, 45).png().toBuffer();
  expect(await upload(small)).toMatchObject({ status: 200 });
  const image = await app.imageOf(project);
  const stored = await app.stored();
  expect(stored).toHaveLength(1);

  const large = await growingPng();
  expect(large.length).toBeLessThan(500_000);
  for (const bytes of [padPng(small, 4_000_000), large]) {
    const response = await upload(bytes);
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
    await expect.poll(app.incoming).toEqual([]);
    expect(await app.stored()).toEqual(stored);
    expect(await app.imageOf(project)).toBe(image);
  }
  expect(await upload(small)).toMatchObject({ status: 200 });
});
