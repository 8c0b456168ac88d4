import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { noise } from '../../../support/pictures.ts';
import { studytrack } from '../../../support/service-process.ts';

let app: ImageApp;
let projects: string;
let incoming: string;
beforeAll(async () => {
  app = await startImageApp();
  projects = join(app.folders.UPLOADS_DIR, 'projects');
  incoming = join(app.folders.DATA_DIR, 'incoming');
});
afterAll(() => app.stop());

async function prune(...options: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await studytrack(['uploads:prune', ...options], {
    ...app.folders,
    NODE_ENV: 'test',
    DATABASE_URL: app.databaseUrl,
  });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim().split('\n').sort();
}

async function age(path: string, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  await utimes(path, then, then);
}

async function createFile(folder: string, name: string, minutes: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), 'orphan');
  await age(join(folder, name), minutes);
  return name;
}

test('deletes unused files only', async () => {
  const owner = await app.createUser();
  const [shown, trashed] = [await app.createProject(owner), await app.createProject(owner)];
  const picture = await noise(60, 45).png().toBuffer();
  const needed: string[] = [];
  for (const project of [shown, trashed]) {
    const { body } = await app.upload(owner, project, picture).expect(200);
    needed.push(body.data.filename);
    await age(join(projects, body.data.filename), 600);
  }
  await app.as(owner).delete(`/api/projects/${trashed}`).expect(200);
  await createFile(projects, '.gitkeep', 600);
  await createFile(projects, 'young.png', 59);
  // more than one batch
  const orphans = await Promise.all(
    Array.from({ length: 1_100 }, (_, index) => createFile(projects, `orphan-${index}.jpg`, 61)),
  );
  const unused = [...orphans, await createFile(projects, '0b9d3f0e-8c2c-4f0e-9b39-2f1f6f1c8f11.tmp', 61)];

  const before = await app.stored();
  expect(await prune('--dry-run')).toEqual(unused.map((name) => `would remove ${name}`).sort());
  expect(await app.stored()).toEqual(before);

  expect(await prune()).toEqual(unused.map((name) => `removed ${name}`).sort());
  expect(await app.stored()).toEqual(expect.arrayContaining([...needed, '.gitkeep', 'young.png']));
  expect(await app.stored()).toHaveLength(4);

  expect(await prune()).toEqual(['There is nothing to remove.']);
  await app.as(owner).post(`/api/projects/${trashed}/restore`).expect(200);
  const { body } = await app.as(owner).get(`/api/projects/${trashed}`).expect(200);
  expect((await app.load(body.data.image)).status).toBe(200);
});

test('the service deletes old files of interrupted uploads', async () => {
  for (const [name, minutes] of [
    ['old.part', 11],
    ['old.png', 11],
    ['young.part', 9],
  ] as const)
    await createFile(incoming, name, minutes);
  await app.container.jobs.find(({ name }) => name === 'remove interrupted uploads')?.run();
  expect(await app.incoming()).toEqual(['young.part']);
});

test('--help and unknown options', async () => {
  expect((await prune('--help')).join('\n')).toContain('--dry-run');
  await expect(prune('--force')).rejects.toThrow(/see --help/);
});
