import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/lib/log/logger.ts';
import { onePixel } from '../support/one-pixel.ts';
import { createProject } from '../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let written = '';
const logger = createLogger('info', {
  destination: {
    write: (line) => {
      written += line;
    },
  },
});
const clock = createTestClock();
const permitted = 'https://app.example.org';
let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { CORS_ORIGINS: permitted }, logger, clock });
  ann = await app.createUser();
});
afterAll(() => app.stop());
beforeEach(() => {
  written = '';
});

const lines = (): Record<string, unknown>[] =>
  written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('other origins', () => {
  const from = (origin: string) => fetch(`${app.origin}/api/meta`, { headers: { Origin: origin } });

  test('may read the headers that a front end needs', async () => {
    const exposed = (await from(permitted)).headers.get('Access-Control-Expose-Headers')?.split(',');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'Content-Disposition',
        'WWW-Authenticate',
        'Location',
        'ETag',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'Deprecation',
        'X-Request-Id',
        'Idempotent-Replayed',
      ]),
    );
  });

  test('that are refused are logged once each, and others are not', async () => {
    for (let time = 0; time < 3; time += 1)
      for (const origin of ['http://localhost:5173', permitted, app.origin, 'null']) await from(origin);
    const warnings = lines().flatMap(({ msg }) => (String(msg).includes('CORS_ORIGINS') ? [msg] : []));
    expect(warnings).toEqual([
      'origin http://localhost:5173 is not in CORS_ORIGINS',
      'origin null is not in CORS_ORIGINS',
    ]);
    await Promise.all(Array.from({ length: 150 }, (_, port) => from(`http://localhost:${port}`)));
    expect(lines().filter(({ msg }) => String(msg).includes('CORS_ORIGINS')).length).toBe(100);
  });
});

describe('a 401', () => {
  const challenge = async (authorization?: string) => {
    const get = app.anonymous.get('/api/projects').expect(401);
    if (authorization !== undefined) get.set('Authorization', authorization);
    const { headers, body } = await get;
    expect(body.message).toContain('Authorization: Bearer TOKEN');
    return headers['www-authenticate'];
  };

  test('says what is wrong with the token', async () => {
    expect(await challenge()).toBe('Bearer');
    const error = (text: string) => `Bearer error="invalid_token", error_description="The token ${text}"`;
    expect(await challenge('Basic YTpi')).toBe(error('is malformed'));
    expect(await challenge(ann.token)).toBe(error('is malformed'));
    expect(await challenge('Bearer garbage')).toBe(error('is malformed'));
    const user = await app.createUser();
    await app.query('UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1', [user.id]);
    expect(await challenge(`Bearer ${user.token}`)).toBe(error('was revoked'));
    expect(await challenge(`Bearer studytrack_${'x'.repeat(43)}`)).toBe(error('was revoked'));
    const other = await app.createUser();
    clock.advance(3_600_000);
    expect(await challenge(`Bearer ${other.token}`)).toBe(error('has expired'));
    clock.advance(-3_600_000);
  });
});

test('traceparent joins the log lines of a request; an invalid one is ignored', async () => {
  const id = '0af7651916cd43dd8448eb211c80319c';
  const tracesOf = async (traceparent: string) => {
    written = '';
    await app.as(ann).get('/api/admin/users').set('traceparent', traceparent).expect(403);
    return lines().map(({ trace }) => trace);
  };
  expect(await tracesOf(`00-${id}-b7ad6b7169203331-01`)).toEqual([id, id]); // the denial, and the request
  for (const invalid of [
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `ff-${id}-b7ad6b7169203331-01`,
    `00-${id}-b7ad6b7169203331-01-more`,
    `00-${id.toUpperCase()}-b7ad6b7169203331-01`,
    'x'.repeat(5000),
  ])
    expect(await tracesOf(invalid)).toEqual([undefined, undefined]);
  expect(await tracesOf(`01-${id}-b7ad6b7169203331-01-more`)).toEqual([id, id]); // a later version
});

type Failure = { error: { details?: { message: string }[] } };

describe('a body', () => {
  const create = (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${app.origin}/api/projects`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json', ...headers },
      body,
    });
  const json = JSON.stringify({ name: '代数' });
  const detailOf = async (response: Response) => [
    response.status,
    ((await response.json()) as Failure).error.details?.[0]?.message,
  ];

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('may be compressed with %s', async (encoding, compress) => {
    const response = await create(compress(json), { 'Content-Encoding': encoding });
    expect(response.status).toBe(201);
    expect(((await response.json()) as { data: { name: string } }).data.name).toBe('代数');
    const large = compress(JSON.stringify({ name: 'a', description: 'x'.repeat(200_000) }));
    expect((await create(large, { 'Content-Encoding': encoding })).status).toBe(413);
  });

  test.each(['utf-8', 'UTF-8', 'UTF8', 'utf8', '"utf8"', '"UTF-8"', 'utf_8', 'us-ascii'])(
    'may name its character set %s',
    async (charset) => {
      expect((await create(json, { 'Content-Type': `application/json; charset=${charset}` })).status).toBe(201);
      expect((await create(json, { 'Content-Type': `application/json;charset=${charset};v=1` })).status).toBe(201);
    },
  );

  test('that cannot be read has an error with the reason', async () => {
    const typed = (charset: string) => create(json, { 'Content-Type': `application/json; charset=${charset}` });
    expect(await detailOf(await typed('latin1'))).toEqual([400, 'must be in UTF-8, not in latin1']);
    expect(await detailOf(await create('{}', { 'Content-Encoding': 'zstd' }))).toEqual([
      400,
      'must be sent uncompressed, or compressed with gzip, deflate or br, not with zstd',
    ]);
    expect(await detailOf(await create('{}', { 'Content-Encoding': 'gzip' }))).toEqual([
      400,
      'cannot be read: it is incomplete, or not compressed as Content-Encoding says',
    ]);
  });

  test.each([
    ['{"name": nope}', 1, 11],
    ['{"name":\n  "Rings",\n}', 3, 1],
    ['{"name"', 1, 8],
    ["{'name': 1}", 1, 2],
    ['{} {}', 1, 4],
    ['{"name": "a\tb"}', 1, 12],
  ])('that is not JSON has an error with the position: %j', async (text, line, column) => {
    expect(await detailOf(await create(text))).toEqual([400, `is not valid JSON at line ${line}, column ${column}`]);
  });

  test('with two keys has an error that allows one', async () => {
    const post = app.as(ann).post('/api/projects', { name: 'Rings' });
    const { body } = await post.set('Idempotency-Key', ['one', 'two'] as unknown as string).expect(400);
    expect(body.error.details).toEqual([{ field: 'Idempotency-Key', message: 'must be sent once' }]);
  });

  test('with a picture in another field has an error that names the field', async () => {
    const path = `/api/projects/${await createProject(app, ann)}/image`;
    const { body } = await app
      .as(ann)
      .post(path)
      .attach('file', await onePixel(), 'a.png')
      .expect(400);
    expect(body.error.details).toEqual([
      { field: 'image', message: 'must have the file, which was sent in another field' },
    ]);
  });
});

describe('If-Match', () => {
  const setUp = async () => {
    const path = `/api/projects/${await createProject(app, ann)}`;
    const tag = String((await app.as(ann).get(path).expect(200)).headers['etag']);
    return { tag, put: (value: string) => app.as(ann).put(path, { description: value }).set('If-Match', value) };
  };

  test.each<[string, (tag: string) => string]>([
    ['a weakened tag', (tag) => `W/${tag}`],
    ['the tag of a compressed response', (tag) => tag.replace(/"$/, '-gzip"')],
    ['any', () => '*'],
    ['a list with the tag', (tag) => `"1.1en", W/"2" ,"other",${tag}`],
    ['a list that begins with the tag', (tag) => `${tag},"1"`],
  ])('accepts %s', async (_what, change) => {
    const { tag, put } = await setUp();
    await put(change(tag)).expect(200);
    if (change(tag) !== '*') await put(change(tag)).expect(412);
  });

  test('refuses other versions, and what is no tag', async () => {
    const { tag, put } = await setUp();
    for (const other of ['"1.1en"', '"other"', 'W/"1","2"', '""']) await put(other).expect(412);
    const plain = tag.replaceAll('"', '');
    for (const malformed of [plain, `w/${tag}`, `${tag} ${tag}`, `${tag},*`, `"${plain}`, `${tag},`]) {
      const { body } = await put(malformed).expect(400);
      expect(body.error.details[0].field).toBe('If-Match');
    }
    const many = Array.from({ length: 12 }, (_, index) => `"${index}"`).join();
    await put(many).expect(400);
  });
});

test('202 names where the state of the work is read', async () => {
  const { headers } = await app.as(ann).post('/api/me/export').expect(202);
  expect(headers['location']).toBe('/api/me/export');
});
