import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../../../support/contact.ts';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { gifOf, noise, pictures } from '../../../support/pictures.ts';
import type { TestUser } from '../../../support/test-app.ts';

let app: ImageApp;
let owner: TestUser;
let project: number;
beforeAll(async () => {
  app = await startImageApp();
  owner = await app.createUser();
});
afterAll(() => app.stop());
beforeEach(async () => {
  project = await app.createProject(owner);
});

const png = (width = 60) => noise(width, 45).png().toBuffer();

describe('a cover image', () => {
  const kinds = Object.entries(pictures);
  test.each(kinds)('%s is stored and served with its own type, regardless of its name', async (kind, picture) => {
    const response = await app.upload(owner, project, await picture(), '../../etc/пароль.exe').expect(200);
    const extension = /jpeg|png|gif|webp/.exec(kind)?.[0].replace('jpeg', 'jpg');
    const { image_url, filename } = response.body.data;
    expect(filename).toMatch(new RegExp(`^[0-9a-f-]{36}\\.${extension}$`));
    expect(image_url).toBe(`/uploads/projects/${filename}`);

    const served = await app.load(image_url);
    expect(served.status).toBe(200);
    expect(served.headers['content-type']).toBe(`image/${extension?.replace('jpg', 'jpeg')}`);
    const { width, height } = await sharp(served.bytes).metadata();
    expect([width, height]).toEqual([60, 45]);
  });

  test('the project, all lists and their ETags reflect it immediately', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const assigned = await app.createUser();
    await app.assign(project, assigned);
    const readers = [owner, admin, assigned];
    const before = await Promise.all(readers.map((user) => app.as(user).get(`/api/projects/${project}`)));
    // Twice, so that every list is cached.
    for (const user of [...readers, ...readers]) await app.as(user).get('/api/projects?limit=100').expect(200);

    for (const width of [50, 70]) {
      const { body } = await app.upload(owner, project, await png(width)).expect(200);
      for (const [index, user] of readers.entries()) {
        const one = await app.as(user).get(`/api/projects/${project}`).expect(200);
        expect(one.body.data.image).toBe(body.data.image_url);
        expect(one.headers['etag']).not.toBe(before[index]?.headers['etag']);
        const list = await app.as(user).get('/api/projects?limit=100').expect(200);
        const shown = list.body.data.projects.find(({ id }: { id: number }) => id === project);
        expect(shown.image).toBe(body.data.image_url);
      }
    }
  });

  test('a new one replaces the former and deletes its file', async () => {
    const others = (await app.stored()).length;
    const { body: first } = await app.upload(owner, project, await png(50)).expect(200);
    const { body: second } = await app.upload(owner, project, await png(70)).expect(200);
    expect(second.data.image_url).not.toBe(first.data.image_url);
    expect(await app.stored()).toContain(second.data.filename);
    expect(await app.stored()).toHaveLength(others + 1);
    expect((await app.load(first.data.image_url)).status).toBe(404);
    expect((await app.load(second.data.image_url)).status).toBe(200);
  });

  test('is deleted with its file; deleting it again succeeds', async () => {
    const others = await app.stored();
    const { body } = await app.upload(owner, project, await png()).expect(200);
    const version = async () => (await app.as(owner).get(`/api/projects/${project}`)).headers['etag'];
    const withImage = await version();

    const response = await app.as(owner).delete(`/api/projects/${project}/image`).expect(200);
    expect(response.body).toEqual({ success: true, message: expect.any(String) });
    const without = await version();
    expect(without).not.toBe(withImage);
    const { body: after } = await app.as(owner).get(`/api/projects/${project}`);
    expect(after.data).not.toHaveProperty('image');
    expect(await app.stored()).toEqual(others);
    expect((await app.load(body.data.image_url)).status).toBe(404);

    await app.as(owner).delete(`/api/projects/${project}/image`).expect(200);
    expect(await version()).toBe(without);
  });

  test('is retained while the project is in the trash, and restored with it', async () => {
    const { body } = await app.upload(owner, project, await png()).expect(200);
    await app.as(owner).delete(`/api/projects/${project}`).expect(200);
    await app.upload(owner, project, await png()).expect(404);
    await app.as(owner).delete(`/api/projects/${project}/image`).expect(404);
    expect(await app.stored()).toContain(body.data.filename);

    const restored = await app.as(owner).post(`/api/projects/${project}/restore`).expect(200);
    expect(restored.body.data.image).toBe(body.data.image_url);
    expect((await app.load(body.data.image_url)).status).toBe(200);
  });

  test('cannot be set by updating the project', async () => {
    await app.as(owner).put(`/api/projects/${project}`, { image: '/uploads/projects/other.png', name: 'Renamed' });
    expect(await app.imageOf(project)).toBeNull();
  });
});

describe('permissions', () => {
  test('administrators and the owner may change the image', async () => {
    const admin = await app.createUser({ role: 'admin' });
    await app.upload(admin, project, await png()).expect(200);
    await app.as(admin).delete(`/api/projects/${project}/image`).expect(200);
  });

  test('others are rejected before their file is received', async () => {
    const { body } = await app.upload(owner, project, await png()).expect(200);
    const [outsider, assigned] = [await app.createUser(), await app.createUser()];
    await app.assign(project, assigned);
    const stored = await app.stored();
    const large = Buffer.alloc(4_000_000);
    const receivedNothing = await app.receivesNothing(async () => {
      await app.upload(undefined, project, large).expect(401);
      await app.upload(outsider, project, large).expect(403);
      await app.upload(assigned, project, large).expect(403);
      await app.upload(owner, 999_999_999, large).expect(404);
      await app.as(owner).post('/api/projects/abc/image').attach('image', large, 'a.png').expect(400);
    });
    expect(receivedNothing).toBe(true);

    await app.anonymous.delete(`/api/projects/${project}/image`).expect(401);
    await app.as(outsider).delete(`/api/projects/${project}/image`).expect(403);
    await app.as(assigned).delete(`/api/projects/${project}/image`).expect(403);
    await app.as(owner).delete('/api/projects/999999999/image').expect(404);
    expect(await app.stored()).toEqual(stored);
    expect(await app.imageOf(project)).toBe(body.data.image_url);
  });

  test('a user who loses access during the upload is rejected', async () => {
    const stored = await app.stored();
    const upload = await app.halfUpload(owner, project, await png());
    await expect.poll(app.incoming).toHaveLength(1);
    await app.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project]);
    const response = await upload.finish();
    expect(response.status).toBe(404);
    expect(await app.stored()).toEqual(stored);
    await expect.poll(app.incoming).toEqual([]);
  });
});

test('an image is not stored if its sender is deactivated while it is processed', async () => {
  const [admin, sender] = [await app.createUser({ role: 'admin' }), await app.createUser()];
  const own = await app.createProject(sender);
  const stored = await app.stored();
  const slow = app.upload(sender, own, gifOf(200, 400, 400), 'a.gif').then(({ status }) => status);
  await expect.poll(app.incoming).toHaveLength(1);
  await app.as(admin).put(`/api/admin/users/${sender.id}`, { status: 'inactive' }).expect(200);
  expect(await slow).toBe(401);
  expect(await app.stored()).toEqual(stored);
  expect(await app.imageOf(own)).toBeNull();
});

test('concurrent uploads to one project leave one file, which the row refers to', async () => {
  const others = await app.stored();
  const picture = await png();
  const people = await Promise.all(Array.from({ length: 20 }, () => app.createUser({ role: 'admin' })));
  const uploads = [...people, ...people].map((person) => app.upload(person, project, picture).expect(200));
  const responses = await Promise.all(uploads);
  expect(new Set(responses.map(({ body }) => body.data.filename)).size).toBe(40);
  const left = (await app.stored()).filter((name) => !others.includes(name));
  expect(left).toHaveLength(1);
  expect(await app.imageOf(project)).toBe(`/uploads/projects/${left[0]}`);
  await expect.poll(app.incoming).toEqual([]);
});

describe('the pictures of a user', () => {
  const claim = (id: number, bytes: number) =>
    app.query('UPDATE projects SET image_bytes = $2 WHERE id = $1', [id, bytes]);

  test('need at most 512 MB, including those in the trash and those that an administrator uploads', async () => {
    const [user, admin] = [await app.createUser(), await app.createUser({ role: 'admin' })];
    const [trashed, own] = [await app.createProject(user), await app.createProject(user)];
    const picture = await png();
    const { body } = await app.upload(user, own, picture).expect(200);
    const [row] = await app.query<{ image_bytes: number }>('SELECT image_bytes FROM projects WHERE id = $1', [own]);
    expect(row?.image_bytes).toBe((await app.load(body.data.image_url)).bytes.length);
    await claim(trashed, 512 * 1024 ** 2 - 100);
    await app.as(user).delete(`/api/projects/${trashed}`).expect(200);
    const stored = await app.stored();
    for (const sender of [user, admin]) {
      const refused = await app.upload(sender, own, picture).expect(409);
      expect(refused.body.message).toContain('512 MB');
    }
    expect(await app.stored()).toEqual(stored);
    expect(await app.imageOf(own)).toBe(body.data.image_url);
    await claim(trashed, 0);
    await app.upload(user, own, picture).expect(200);
  });

  test('of projects that are in the trash for 30 days are deleted', async () => {
    const user = await app.createUser();
    const [old, recent] = [await app.createProject(user), await app.createProject(user)];
    for (const id of [old, recent]) {
      await app.upload(user, id, await png()).expect(200);
      await app.as(user).delete(`/api/projects/${id}`).expect(200);
    }
    const before = await app.imageOf(old);
    await app.query(`UPDATE projects SET deleted_at = now() - interval '30 days 1 minute' WHERE id = $1`, [old]);
    await runJob(app, 'delete images of projects in the trash');
    expect([await app.imageOf(old), await app.imageOf(recent)]).toEqual([null, expect.any(String)]);
    expect((await app.load(String(before))).status).toBe(404);
  });
});
