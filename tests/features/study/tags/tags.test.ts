import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let owner: TestUser;
let admin: TestUser;
let shared: number;

beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-11-20T12:00:00.000Z')) });
  owner = await app.createUser();
  admin = await app.createUser({ role: 'admin' });
  shared = await createProject(app, owner, 'Shared');
});
afterAll(() => app.stop());

async function newAuthor(): Promise<TestUser> {
  const author = await app.createUser();
  await assign(app, shared, author);
  return author;
}

let minute = 0;
const nextTimes = () => {
  minute += 10;
  const started_at = new Date(Date.UTC(2026, 9, 1) + minute * 60_000).toISOString();
  return { started_at, duration_seconds: 600 };
};
const record = (user: TestUser, tags: unknown, more: object = nextTimes()) =>
  app.as(user).post(`/api/projects/${shared}/sessions`, { ...more, tags });
const tagsOf = async (user: TestUser, id: number): Promise<string[]> =>
  (await app.as(user).get(`/api/sessions/${id}`).expect(200)).body.data.tags;
async function vocabulary(user: TestUser): Promise<Record<string, number>> {
  const { data } = (await app.as(user).get('/api/me/tags').expect(200)).body;
  return Object.fromEntries(
    data.map((tag: { name: string; sessions_count: number }) => [tag.name, tag.sessions_count]),
  );
}
async function created(user: TestUser, tags: unknown): Promise<number> {
  return (await record(user, tags).expect(201)).body.data.id;
}
const tagPath = (name: string) => `/api/me/tags/${encodeURIComponent(name)}`;

describe('the tags of a record', () => {
  test('are those of the vocabulary of their author, without repetitions', async () => {
    const author = await newAuthor();
    expect(await tagsOf(author, await created(author, ['Révision', '错题']))).toEqual(['Révision', '错题']);
    const again = await created(author, ['ＲＥＶＩＳＩＯＮ', 'new', 'revision']);
    expect(await tagsOf(author, again)).toEqual(['Révision', 'new']);
    expect(await vocabulary(author)).toEqual({ Révision: 2, 错题: 1, new: 1 });
    const other = await newAuthor();
    expect(await tagsOf(other, await created(other, ['revision']))).toEqual(['revision']);
  });

  test('are of any script, and as long as their characters', async () => {
    const author = await newAuthor();
    const family = '\u{1F469}\u200D\u{1F467}';
    const names = ['مراجعة', '\u{1F600}'.repeat(30), '\u{1F3AF}', family, 'straße'];
    const id = await created(author, names);
    expect(await tagsOf(author, id)).toEqual(names);
    expect(await vocabulary(author)).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
    expect(await tagsOf(author, await created(author, ['STRASSE', 'Straße', family]))).toContain(family);
    for (const name of names) {
      const { body } = await app.as(author).get(tagPath(name)).expect(200);
      expect(body.data.name).toBe(name);
    }
    for (const name of ['\u{1F600}'.repeat(31), '\u200B', '\u202E']) await record(author, [name]).expect(400);
  });

  test('are kept, replaced and removed by a change', async () => {
    const author = await newAuthor();
    const id = await created(author, ['one']);
    await app.as(author).put(`/api/sessions/${id}`, { note: 'Chapter 1' }).expect(200);
    expect(await tagsOf(author, id)).toEqual(['one']);
    await app
      .as(author)
      .put(`/api/sessions/${id}`, { tags: ['two', 'ONE'] })
      .expect(200);
    expect(await tagsOf(author, id)).toEqual(['two', 'one']);
    await app.as(admin).put(`/api/sessions/${id}`, { tags: [] }).expect(200);
    expect(await tagsOf(author, id)).toEqual([]);
    expect(await vocabulary(author)).toEqual({ one: 0, two: 0 });
  });

  test('of a timer stay with its record', async () => {
    const author = await newAuthor();
    const started = await app
      .as(author)
      .post('/api/timer/start', { project_id: shared, tags: ['Exam'] })
      .expect(201);
    expect(started.body.data.tags).toEqual(['Exam']);
    expect((await app.as(author).post('/api/timer/stop', {}).expect(200)).body.data.tags).toEqual(['Exam']);
  });

  test.each([
    [['1', '2', '3', '4', '5', '6'], 'tags'],
    [['x'.repeat(31)], 'tags[0]'],
    [['fine', ' '], 'tags[1]'],
    [['None'], 'tags[0]'],
    [[7], 'tags[0]'],
    ['exam', 'tags'],
    [null, 'tags'],
  ])('%j is refused', async (tags, field) => {
    const { body } = await record(owner, tags).expect(400);
    expect(body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  test('are seen by those who see the note', async () => {
    const author = await newAuthor();
    const id = await created(author, ['private']);
    expect(await tagsOf(owner, id)).toEqual(['private']);
    expect(await tagsOf(admin, id)).toEqual(['private']);
    await app
      .as(await newAuthor())
      .get(`/api/sessions/${id}`)
      .expect(403);
    await app.as(owner).get(tagPath('private')).expect(404);
  });

  test('a refused record adds none', async () => {
    const author = await newAuthor();
    const times = nextTimes();
    await record(author, ['first'], times).expect(201);
    await record(author, ['second'], times).expect(409);
    expect(await vocabulary(author)).toEqual({ first: 1 });
  });
});

describe('the vocabulary', () => {
  test('has no tag whose address clients would change to that of another resource', async () => {
    const author = await newAuthor();
    for (const name of ['.', '..']) {
      const { body } = await record(author, [name]).expect(400);
      expect(body.error.details).toEqual([{ field: 'tags[0]', message: 'must not be “.” or “..”' }]);
    }
    await created(author, ['a']);
    await app.as(author).put(tagPath('a'), { name: '..' }).expect(400);
    expect(await vocabulary(author)).toEqual({ a: 1 });
  });

  test('has at most 200 tags, also with requests at the same time', async () => {
    const author = await newAuthor();
    const names = Array.from({ length: 41 }, (_, index) => [0, 1, 2, 3, 4].map((one) => `tag ${index * 5 + one}`));
    const statuses = await Promise.all(names.map(async (tags) => (await record(author, tags)).status));
    expect(statuses.toSorted()).toEqual([...Array(40).fill(201), 409]);
    expect(Object.keys(await vocabulary(author))).toHaveLength(200);
    const known = Object.keys(await vocabulary(author)).slice(0, 2);
    await record(author, known).expect(201);
    await record(author, ['one more']).expect(409);
  });

  test('is renamed in all records, and marks them as changed', async () => {
    const author = await newAuthor();
    const id = await created(author, ['exam', 'hard']);
    const before = (await app.as(author).get(`/api/sessions/${id}`)).body.data;
    const { body } = await app.as(author).put(tagPath('EXAM'), { name: 'Exam, part 1' }).expect(200);
    expect(body.data).toMatchObject({ name: 'Exam, part 1', sessions_count: 1 });
    const after = (await app.as(author).get(`/api/sessions/${id}`)).body.data;
    expect(after.tags).toEqual(['Exam, part 1', 'hard']);
    expect(after.etag).not.toBe(before.etag);
    await app.as(author).get(tagPath('exam')).expect(404);
    await app.as(author).put(tagPath('exam, PART 1'), { name: 'exam, part 1' }).expect(200);
    expect(await tagsOf(author, id)).toEqual(['exam, part 1', 'hard']);
  });

  test('is merged by the name of another tag', async () => {
    const author = await newAuthor();
    const both = await created(author, ['paper', 'Exam']);
    const one = await created(author, ['paper']);
    await app.as(author).put(tagPath('paper'), { name: 'EXAM' }).expect(200);
    expect([await tagsOf(author, both), await tagsOf(author, one)]).toEqual([['Exam'], ['Exam']]);
    expect(await vocabulary(author)).toEqual({ Exam: 2 });
  });

  test('loses a tag in all records, which remain', async () => {
    const author = await newAuthor();
    const id = await created(author, ['gone', 'kept']);
    await app.as(author).delete(tagPath('gone')).expect(200);
    expect(await tagsOf(author, id)).toEqual(['kept']);
    await app.as(author).delete(tagPath('gone')).expect(404);
  });

  test('is consistent with records when a tag is used and renamed at the same time', async () => {
    const author = await newAuthor();
    await created(author, ['a']);
    for (let round = 0; round < 5; round += 1) {
      const [from, to] = round % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const writes = Array.from({ length: 6 }, () => record(author, [from]).expect(201));
      await Promise.all([...writes, app.as(author).put(tagPath(from), { name: to }).expect(200)]);
    }
    const counts = await vocabulary(author);
    expect((counts['a'] ?? 0) + (counts['b'] ?? 0)).toBe(31);
    const { sessions } = (await app.as(author).get('/api/sessions?limit=100')).body.data;
    for (const { tags } of sessions) expect(Object.keys(counts)).toContain(tags[0]);
  });
});

test('filters find the tag in any spelling, or records without tags', async () => {
  const author = await newAuthor();
  const find = async (reader: TestUser, query: string) => {
    const { data } = (await app.as(reader).get(`/api/sessions?order=asc&limit=50&username=${author.username}&${query}`))
      .body;
    expect(data.pagination.total).toBe(data.sessions.length);
    return data.sessions.map(({ note }: { note: string }) => note);
  };
  await record(author, ['Déjà vu'], { ...nextTimes(), note: 'first' }).expect(201);
  await record(author, ['other', 'déjà vu'], { ...nextTimes(), note: 'second' }).expect(201);
  await record(author, [], { ...nextTimes(), note: 'third' }).expect(201);
  for (const reader of [author, owner, admin]) {
    expect(await find(reader, 'tag=DEJA%20VU')).toEqual(['first', 'second']);
    expect(await find(reader, 'tag=none')).toEqual(['third']);
    expect(await find(reader, 'tag=deja')).toEqual([]);
    expect(await find(reader, 'tag=')).toEqual(['first', 'second', 'third']);
  }
  const csv = await app.as(author).get('/api/sessions/export?tag=other').expect(200);
  expect(csv.text.trim().split('\n')).toHaveLength(2);
  expect(csv.text).toContain('"other, Déjà vu"');
});

test('an export is imported again with its tags, and other trackers keep theirs', async () => {
  const author = await newAuthor();
  await record(author, ['plain', 'with, comma', 'a "quote"']).expect(201);
  for (const format of ['csv', 'json']) {
    const file = await app.as(author).get(`/api/sessions/export?format=${format}`).buffer(true).expect(200);
    const { id } = (await app.as(author).get('/api/sessions').expect(200)).body.data.sessions[0];
    await app.as(author).delete(`/api/sessions/${id}`).expect(200);
    await app
      .as(author)
      .post('/api/sessions/import')
      .field('dry_run', 'false')
      .attach('file', Buffer.from(file.text), 'records')
      .expect(200);
    const { sessions } = (await app.as(author).get('/api/sessions').expect(200)).body.data;
    expect(sessions.map(({ tags }: { tags: string[] }) => tags)).toEqual([['plain', 'with, comma', 'a "quote"']]);
  }
});

test.each([
  ['Tags', 'a, b', ['a', 'b']],
  ['标签', '-', []],
  ['Tags', 'a,b,c,d,e,f,none', ['a', 'b', 'c', 'd', 'e']],
  ['Tags', 'a,.,..,...', ['a', '...']],
  ['Tags', `${'x'.repeat(40)}, x`, ['x'.repeat(30), 'x']],
])('an import of the column %s keeps %j', async (column, cell, tags) => {
  const author = await newAuthor();
  const file = `Project,Start date,Start time,Duration,${column}\nShared,2026-09-01,08:00:00,01:00:00,"${cell}"\n`;
  const { body } = await app
    .as(author)
    .post('/api/sessions/import')
    .field('dry_run', 'false')
    .attach('file', Buffer.from(file), 'toggl.csv')
    .expect(200);
  expect(body.data).toMatchObject({ imported: 1, columns: { tags: column } });
  const { sessions } = (await app.as(author).get('/api/sessions').expect(200)).body.data;
  expect(sessions[0].tags).toEqual(tags);
});

test('statistics of a period count the time of each tag, and of all tagged records once', async () => {
  const author = await newAuthor();
  const on = (day: string, time: string, seconds: number, tags: string[]) =>
    record(author, tags, { started_at: `2026-10-${day}T${time}Z`, duration_seconds: seconds }).expect(201);
  await on('20', '08:00:00', 3600, ['exam', 'maths']);
  await on('20', '10:00:00', 1800, ['exam']);
  await on('21', '08:00:00', 7200, []);
  await on('21', '23:30:00', 3600, ['maths']); // half of it on the day after
  await on('18', '08:00:00', 900, ['exam']);
  const path = '/api/stats?from=2026-10-20&to=2026-10-21&compare=previous&tz=UTC';
  const { data } = (await app.as(author).get(path).expect(200)).body;
  expect(data.by_tag).toEqual([
    { tag: 'exam', hours: 1.5, previous_hours: 0.25 },
    { tag: 'maths', hours: 1.5, previous_hours: 0 },
  ]);
  expect(data).toMatchObject({ total_hours: 4, tagged_hours: 2, untagged_hours: 2 });
});
