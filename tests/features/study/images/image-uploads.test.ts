import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorFields, type ImageApp, megabytes5, padPng, startImageApp } from '../../../support/image-app.ts';
import { multipart, openUpload, postForm } from '../../../support/multipart.ts';
import { gifOf, noise } from '../../../support/pictures.ts';
import type { TestUser } from '../../../support/test-app.ts';

let app: ImageApp;
let owner: TestUser;
let project: number;
let url: string;
let picture: Buffer;
let before: { image: string | null | undefined; stored: string[] };
beforeAll(async () => {
  app = await startImageApp();
  owner = await app.createUser();
  picture = await noise(60, 45).png().toBuffer();
  project = await app.createProject(owner);
  url = `${app.origin}/api/projects/${project}/image`;
});
afterAll(() => app.stop());

// Rejected uploads must not change the image or leave files.
beforeEach(async () => {
  await app.upload(owner, project, picture).expect(200);
  before = { image: await app.imageOf(project), stored: await app.stored() };
});
afterEach(async () => {
  await expect.poll(app.incoming).toEqual([]);
  expect({ image: await app.imageOf(project), stored: await app.stored() }).toEqual(before);
  expect((await app.load(before.image ?? '')).status).toBe(200);
});

async function accepted(upload: Promise<unknown>): Promise<void> {
  await upload;
  before = { image: await app.imageOf(project), stored: await app.stored() };
}

describe('size', () => {
  test('exactly 5 MB are accepted, one byte more is rejected', async () => {
    await accepted(app.upload(owner, project, padPng(picture, megabytes5)).expect(200));
    const { body } = await app.upload(owner, project, padPng(picture, megabytes5 + 1)).expect(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.details).toEqual([{ field: 'image', message: 'must not be larger than 5 MB' }]);
    await app.upload(owner, project, Buffer.alloc(0)).expect(400);
  });

  test('a client that sends more receives the response', async () => {
    for (const size of [6_000_000, 50_000_000]) {
      const form = multipart({ name: 'image', filename: 'a.png', data: Buffer.alloc(size) });
      expect(await postForm(url, owner.token, form)).toMatchObject({ status: 400 });
      expect(await postForm(url, undefined, form)).toMatchObject({ status: 401 });
    }
  });

  test('a body of unknown length that is too large is rejected', async () => {
    const form = multipart({ name: 'image', filename: 'a.png', data: Buffer.alloc(20_000_000) });
    const headers = { Authorization: `Bearer ${owner.token}`, 'Content-Type': form.type };
    const init = { method: 'POST', headers, body: new Blob([form.body]).stream(), duplex: 'half' };
    const response = await fetch(url, init as RequestInit); // `duplex` is missing in the types
    expect(response.status).toBe(400);
    expect(errorFields(JSON.parse(await response.text()))).toEqual(['image']);
  });

  test('a Content-Length far above the limit is rejected before the body is sent', async () => {
    const form = multipart({ name: 'image', filename: 'a.png', data: Buffer.alloc(megabytes5 + 200_000) });
    const nothing = await app.receivesNothing(async () => {
      const upload = await openUpload(url, owner.token, form, 1_000);
      expect(await upload.response).toMatchObject({ status: 400 });
      await upload.cut();
    });
    expect(nothing).toBe(true);
  });
});

describe('content', () => {
  const others: Record<string, string | Buffer> = {
    text: 'just some text',
    html: '<!doctype html><html><body><script>alert(1)</script></body></html>',
    svg: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    pdf: '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
    exe: Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(500)]),
    'a truncated png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  };
  test.each(Object.keys(others))('%s is rejected, regardless of its name', async (kind) => {
    const { body } = await app.upload(owner, project, Buffer.from(others[kind] ?? ''), 'photo.png').expect(400);
    expect(errorFields(body)).toEqual(['image']);
  });
});

describe('the form', () => {
  const file = () => ({ name: 'image', filename: 'a.png', data: picture });

  test('may contain a few short fields besides the file', async () => {
    const form = multipart({ name: 'caption', data: '图' }, file(), { name: '__proto__', data: 'x' });
    await accepted(postForm(url, owner.token, form).then((response) => expect(response.status).toBe(200)));
  });

  test.each([
    ['no file', []],
    ['a text in its place', [{ name: 'image', data: 'x' }]],
    ['a field without a chosen file', [{ name: 'image', filename: '', data: '' }]],
    ['a file in another field', [{ name: 'photo', filename: 'a.png', data: 'x' }]],
    ['a file in a bracketed field', [{ name: 'image[]', filename: 'a.png', data: 'x' }]],
    ['two files', ['1', '2'].map((data) => ({ name: 'image', filename: `${data}.png`, data }))],
    [
      'a file in another field as well',
      ['image', 'photo'].map((name) => ({ name, filename: 'a.png', data: Buffer.alloc(70_000) })),
    ],
  ])('%s is rejected', async (_what, parts) => {
    const response = await postForm(url, owner.token, multipart(...parts));
    expect(response.status).toBe(400);
    expect(errorFields(response.body)).toEqual(['image']);
  });

  test.each([
    ['repeated', [1, 2].map(() => ({ name: 'caption', data: 'x' })), ['caption']],
    ['long', [{ name: 'caption', data: 'x'.repeat(24_001) }], ['caption']],
    ['many', Array.from({ length: 21 }, (_, index) => ({ name: `field${index}`, data: 'x' })), ['image']],
    ['long in their names', [{ name: 'x'.repeat(101), data: 'x' }], ['image']],
  ])('other fields must not be %s', async (_what, parts, fields) => {
    const response = await postForm(url, owner.token, multipart(...parts, file()));
    expect(response.status).toBe(400);
    expect(errorFields(response.body)).toEqual(fields);
  });

  test('JSON, a raw image or an empty body is rejected', async () => {
    for (const type of ['application/json', 'image/png', 'application/x-www-form-urlencoded', 'multipart/mixed']) {
      const response = await postForm(url, owner.token, { type, body: picture });
      expect(response.status).toBe(400);
      expect(errorFields(response.body)).toEqual(['image']);
    }
    const { body } = await app.as(owner).post(`/api/projects/${project}/image`).expect(400);
    expect(errorFields(body)).toEqual(['image']);
  });
});

describe('aborted connections', () => {
  test('midway leave no file and no open descriptor', async () => {
    const large = padPng(picture, 3_000_000);
    const open = await readdir('/dev/fd');
    const people = await Promise.all(Array.from({ length: 10 }, () => app.createUser({ role: 'admin' })));
    for (let round = 0; round < 5; round += 1) {
      const uploads = await Promise.all(people.map((person) => app.halfUpload(person, project, large)));
      await expect.poll(app.incoming).toHaveLength(10);
      await Promise.all(uploads.map((upload) => upload.cut()));
      await expect.poll(app.incoming).toEqual([]);
    }
    await expect.poll(async () => (await readdir('/dev/fd')).length).toBeLessThan(open.length + 10);
  });

  test('before the file or at its last byte leave no file', async () => {
    const form = multipart({ name: 'image', filename: 'a.png', data: picture });
    for (const length of [0, 1, 60, form.body.length - picture.length, form.body.length - 1]) {
      const upload = await openUpload(url, owner.token, form, length);
      await expect.poll(app.incoming).toHaveLength(1);
      await upload.cut();
      await expect.poll(app.incoming).toEqual([]);
    }
  });

  test('of waiting uploads do not delay the next upload of the same user', async () => {
    const first = await app.halfUpload(owner, project, picture);
    await expect.poll(app.incoming).toHaveLength(1);
    const waiting = await Promise.all([1, 2, 3].map(() => app.halfUpload(owner, project, picture)));
    for (const upload of waiting) await upload.cut();
    await first.cut();
    await expect.poll(app.incoming).toEqual([]);
    await accepted(app.upload(owner, project, picture).then((response) => expect(response.status).toBe(200)));
  });

  test('a slow upload that completes is accepted', async () => {
    const upload = await app.halfUpload(owner, project, picture);
    await expect.poll(app.incoming).toHaveLength(1);
    await accepted(upload.finish().then((response) => expect(response.status).toBe(200)));
  });
});

test('concurrent uploads beyond the limit of a user are rejected, the others are stored, and no file is left', async () => {
  const slow = gifOf(60, 300, 300);
  await accepted(
    (async () => {
      const responses = await Promise.all(Array.from({ length: 14 }, () => app.upload(owner, project, slow, 'a.gif')));
      const statuses = responses.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      const rejected = responses.find(({ status }) => status === 429);
      expect(Number(rejected?.headers['retry-after'])).toBeGreaterThan(0);
    })(),
  );
  expect(before.stored).toHaveLength(1);
});
