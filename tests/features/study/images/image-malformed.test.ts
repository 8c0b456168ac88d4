import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorFields, type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { postForm } from '../../../support/multipart.ts';
import { noise } from '../../../support/pictures.ts';
import { slowness, watchEventLoop } from '../../../support/processor-time.ts';
import type { TestUser } from '../../../support/test-app.ts';

let app: ImageApp;
let owner: TestUser;
let project: number;
beforeAll(async () => {
  app = await startImageApp();
  owner = await app.createUser();
  project = await app.createProject(owner);
});
afterAll(() => app.stop());

const type = 'multipart/form-data; boundary=B';
const disposition = 'Content-Disposition: form-data; name="image"; filename="a.png"';
const start = `--B\r\n${disposition}\r\n\r\n`;

const bodies: Record<string, { type?: string; body: string | Buffer }> = {
  nothing: { body: '' },
  'no boundary': { type: 'multipart/form-data', body: `${start}x\r\n--B--\r\n` },
  'an empty boundary': { type: 'multipart/form-data; boundary=', body: `${start}x\r\n--B--\r\n` },
  'a boundary other than announced': { type: 'multipart/form-data; boundary=C', body: `${start}x\r\n--B--\r\n` },
  'a boundary of 10,000 characters': { type: `multipart/form-data; boundary=${'B'.repeat(10_000)}`, body: start },
  'no end': { body: `${start}x` },
  'an end without its last hyphens': { body: `${start}x\r\n--B` },
  'a boundary only': { body: '--B\r\n' },
  'an end only': { body: '--B--\r\n' },
  'a truncated header': { body: '--B\r\nContent-Dispos' },
  'no header': { body: '--B\r\n\r\nx\r\n--B--\r\n' },
  'a part without a disposition': { body: '--B\r\nContent-Type: image/png\r\n\r\nx\r\n--B--\r\n' },
  'a disposition of another kind': {
    body: `--B\r\n${disposition.replace('form-data', 'attachment')}\r\n\r\nx\r\n--B--`,
  },
  'a file without a field': { body: `--B\r\n${disposition.replace(' name="image";', '')}\r\n\r\nx\r\n--B--\r\n` },
  'a field without a name': { body: '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n' },
  'a header without a colon': { body: `--B\r\nno colon\r\n${disposition}\r\n\r\nx\r\n--B--\r\n` },
  'a header of 100,000 bytes': { body: `--B\r\nX: ${'y'.repeat(100_000)}\r\n${disposition}\r\n\r\nx\r\n--B--\r\n` },
  'ten thousand headers': { body: `--B\r\n${'X: y\r\n'.repeat(10_000)}${disposition}\r\n\r\nx\r\n--B--\r\n` },
  'a NUL in a header': { body: `--B\r\n${disposition.replace('image', 'im\0age')}\r\n\r\nx\r\n--B--\r\n` },
  'bare line feeds': { body: `${start}x\r\n--B--\r\n`.replaceAll('\r', '') },
  'a nested form': {
    body: `--B\r\nContent-Disposition: form-data; name="image"\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\n${disposition}\r\n\r\nx\r\n--C--\r\n--B--\r\n`,
  },
  '__proto__ as a field': { body: `--B\r\n${disposition.replace('image', '__proto__')}\r\n\r\nx\r\n--B--\r\n` },
  'a file after a broken part': { body: `--B\r\nbroken\r\n\r\nx\r\n${start}x\r\n--B--\r\n` },
  'a broken part after the file': { body: `${start}x\r\n--B\r\nbroken\r\n\r\nx\r\n--B--\r\n` },
  'ten thousand parts': {
    body: `${'--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(10_000)}--B--`,
  },
  'a boundary longer than the standard allows': {
    type: `multipart/form-data; boundary=${'B'.repeat(201)}`,
    body: `--${'B'.repeat(201)}\r\n${disposition}\r\n\r\nx\r\n--${'B'.repeat(201)}--\r\n`,
  },
  'many parts without a name, then a file': { body: `${'--B\r\nX: y\r\n\r\n\r\n'.repeat(30)}${start}x\r\n--B--\r\n` },
  'JSON that claims to be a form': { body: '{"image":"x"}' },
  'bytes without any form': { body: Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256)) },
};

test.each(Object.keys(bodies))('a body with %s is rejected, and no file remains', async (kind) => {
  const { body = '', ...given } = bodies[kind] ?? {};
  const form = { type, ...given, body: Buffer.from(body) };
  const response = await postForm(`${app.origin}/api/projects/${project}/image`, owner.token, form);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  expect(errorFields(response.body)).toEqual(['image']);
  await expect.poll(app.incoming).toEqual([]);
  expect(await app.stored()).toEqual([]);
});

/** 5 MB of a repeated pattern that the parser processes piece by piece. */
const fill = (text: string) => Buffer.alloc(5_000_000, text);
const heavy: Record<string, Buffer> = {
  'parts without a name': fill('--B\r\nX: y\r\n\r\n\r\n'),
  'empty fields': fill('--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'),
  'headers of one part': Buffer.concat([Buffer.from('--B\r\n'), fill('X: y\r\n')]),
  'prefixes of the boundary': Buffer.concat([Buffer.from(start), fill('\r\n--')]),
  'carriage returns': Buffer.concat([Buffer.from(start), fill('\r')]),
};

test.each(Object.keys(heavy))('5 MB of %s do not delay other requests', async (kind) => {
  const eventLoop = watchEventLoop();
  const response = await postForm(`${app.origin}/api/projects/${project}/image`, owner.token, {
    type,
    body: heavy[kind] ?? Buffer.alloc(0),
  });
  eventLoop.stop();
  expect(response.status).toBe(400);
  // About 20 ms; the margin is for slow processors.
  expect(eventLoop.longest()).toBeLessThan(200 * slowness());
  await expect.poll(app.incoming).toEqual([]);
});

test('the service still works afterwards', async () => {
  const picture = await noise(60, 45).png().toBuffer();
  await app.upload(owner, project, picture).expect(200);
  expect(await app.stored()).toHaveLength(1);
});
