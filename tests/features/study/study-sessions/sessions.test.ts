import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject, figures, unassign } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let owner: TestUser;
let member: TestUser;
let outsider: TestUser;
let admin: TestUser;
let projectId: number;

beforeAll(async () => {
  app = await startTestApp({ clock });
  owner = await app.createUser({ timezone: 'Asia/Shanghai' });
  member = await app.createUser();
  outsider = await app.createUser();
  admin = await app.createUser({ role: 'admin' });
  projectId = await createProject(app, owner);
  await assign(app, projectId, member);
});
afterAll(() => app.stop());

/** A different time span in the past for each call, so that records do not overlap. */
let day = 0;
function timeSpan(seconds = 3600) {
  day += 1;
  const started = new Date(Date.UTC(2026, 0, day, 8));
  return { started_at: started.toISOString(), ended_at: new Date(started.getTime() + seconds * 1000).toISOString() };
}

async function record(user: TestUser, body: object = timeSpan(), project = projectId) {
  const response = await app.as(user).post(`/api/projects/${project}/sessions`, body).expect(201);
  return response.body.data;
}

const codeOf = (response: { body: { error?: { code: string } } }) => response.body.error?.code;
const fieldsOf = (response: { body: { error?: { details?: { field: string }[] } } }) =>
  response.body.error?.details?.map((detail) => detail.field);

describe('recording', () => {
  test('returns the record with its location, and updates the totals', async () => {
    const before = await figures(app, projectId);
    const body = {
      started_at: '2026-02-01T08:00:00+08:00',
      ended_at: '2026-02-01T01:30:00.500Z',
      note: ' Kapitel 3\n好 ',
    };
    const response = await app.as(owner).post(`/api/projects/${projectId}/sessions`, body).expect(201);
    expect(response.body.data).toEqual({
      id: expect.any(Number),
      project_id: projectId,
      project_name: 'Algebra',
      user_id: owner.id,
      username: owner.username,
      started_at: '2026-02-01T00:00:00.000Z',
      ended_at: '2026-02-01T01:30:00.500Z',
      duration_seconds: 5400,
      hours: 1.5,
      note: 'Kapitel 3\n好',
      source: 'manual',
      time_zone: 'Asia/Shanghai',
      auto_stopped: false,
      tags: [],
      planned_minutes: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      etag: expect.stringMatching(/^"\d{13}"$/),
    });
    expect(response.headers['location']).toBe(`/api/sessions/${response.body.data.id}`);
    const read = await app
      .as(owner)
      .get(response.headers['location'] ?? '')
      .expect(200);
    expect(read.body.data).toEqual(response.body.data);
    expect(await figures(app, projectId)).toMatchObject({
      current_seconds: before.current_seconds + 5400,
      sessions_count: before.sessions_count + 1,
    });
  });

  test('accepts a duration instead of the end, or both if consistent', async () => {
    const { started_at } = timeSpan();
    const first = await record(owner, { started_at, duration_seconds: 90 });
    expect(first.duration_seconds).toBe(90);
    expect(first.hours).toBe(0.03);
    const both = timeSpan(60);
    await record(owner, { ...both, duration_seconds: 60 });
    const response = await app
      .as(owner)
      .post(`/api/projects/${projectId}/sessions`, { ...timeSpan(60), duration_seconds: 61 })
      .expect(400);
    expect(fieldsOf(response)).toEqual(['duration_seconds']);
  });

  test.each([
    ['neither end nor duration', { started_at: '2026-03-01T00:00:00Z' }, ['ended_at']],
    [
      'shorter than a second',
      { started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-01T00:00:00.999Z' },
      ['ended_at'],
    ],
    ['backwards', { started_at: '2026-03-01T00:00:00Z', ended_at: '2026-02-01T00:00:00Z' }, ['ended_at']],
    ['longer than a day', { started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-02T00:00:00.001Z' }, ['ended_at']],
    ['a duration of 0', { started_at: '2026-03-01T00:00:00Z', duration_seconds: 0 }, ['duration_seconds']],
    ['a duration over a day', { started_at: '2026-03-01T00:00:00Z', duration_seconds: 86_401 }, ['duration_seconds']],
    ['before 2000', { started_at: '1999-12-31T23:59:59.999Z', duration_seconds: 60 }, ['started_at']],
    [
      'an end in the future',
      { started_at: '2026-11-20T11:00:00Z', ended_at: '2026-11-20T12:05:00.001Z' },
      ['ended_at'],
    ],
    [
      'a duration into the future',
      { started_at: '2026-11-20T11:00:00Z', duration_seconds: 4000 },
      ['duration_seconds'],
    ],
    ['a start in the future', { started_at: '2027-01-01T00:00:00Z', duration_seconds: 60 }, ['started_at']],
    [
      'an invalid date',
      { started_at: 'yesterday', duration_seconds: 'x', note: null },
      ['started_at', 'duration_seconds', 'note'],
    ],
    ['a note too long', { started_at: '2026-03-01T00:00:00Z', duration_seconds: 60, note: '好'.repeat(501) }, ['note']],
    ['a date without offset', { started_at: '2026-03-01T00:00:00', duration_seconds: 60 }, ['started_at']],
    ['year 275760', { started_at: '+275760-09-13T00:00:00Z', duration_seconds: 60 }, ['started_at']],
  ])('rejects %s', async (_name, body, fields) => {
    const response = await app.as(owner).post(`/api/projects/${projectId}/sessions`, body).expect(400);
    expect(codeOf(response)).toBe('VALIDATION_ERROR');
    expect(fieldsOf(response)).toEqual(fields);
  });

  test('accepts the limits inclusively', async () => {
    const other = await app.createUser();
    const own = await createProject(app, other);
    await record(other, { started_at: '2000-01-01T00:00:00Z', duration_seconds: 1 }, own);
    await record(other, { started_at: '2000-01-02T00:00:00Z', duration_seconds: 86_400, note: '好'.repeat(500) }, own);
    await record(other, { started_at: '2026-11-20T12:04:00Z', ended_at: '2026-11-20T12:05:00Z' }, own);
  });

  test('requires an existing, visible and active project, checked in this order before the body', async () => {
    const paused = await createProject(app, owner, 'Paused', 'paused');
    await app.query(`INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
      VALUES (${paused}, 'active', 'completed', '2026-05-01T00:00Z'), (${paused}, 'completed', 'active', '2026-06-01T00:00Z'),
        (${paused}, 'active', 'paused', '2026-07-01T00:00Z')`);
    const post = (user: TestUser, id: number | string, body: object) =>
      app.as(user).post(`/api/projects/${id}/sessions`, body);
    expect(codeOf(await post(owner, 999_999, {}).expect(404))).toBe('RESOURCE_NOT_FOUND');
    await post(owner, '99999999999999999999', timeSpan()).expect(404);
    await post(owner, '1x', timeSpan()).expect(400);
    expect(codeOf(await post(outsider, projectId, { started_at: 1 }).expect(403))).toBe('PERMISSION_DENIED');
    await post(outsider, projectId, timeSpan()).expect(403);
    const now = await post(owner, paused, { started_at: '2026-11-20T11:00:00Z', duration_seconds: 60 }).expect(409);
    expect(codeOf(now)).toBe('PROJECT_NOT_ACTIVE');
    await record(owner, { started_at: '2026-06-30T23:59:00Z', duration_seconds: 3600 }, paused);
    await post(owner, paused, { started_at: '2026-05-15T00:00:00Z', duration_seconds: 60 }).expect(409);
    await record(owner, { started_at: '2026-04-15T00:00:00Z', duration_seconds: 60 }, paused);
    await app.anonymous.post(`/api/projects/${projectId}/sessions`, timeSpan()).expect(401);
  });

  test('is allowed for assigned users and administrators, but not after unassignment', async () => {
    const user = await app.createUser();
    await assign(app, projectId, user);
    const old = await record(user);
    await record(admin);
    await unassign(app, projectId, user);
    await app.as(user).post(`/api/projects/${projectId}/sessions`, timeSpan()).expect(403);
    await app.as(user).get(`/api/projects/${projectId}/sessions`).expect(403);
    await app.as(user).get(`/api/sessions/${old.id}`).expect(200);
    const list = await app.as(user).get('/api/sessions').expect(200);
    expect(list.body.data.sessions).toEqual([old]);
    await app.as(user).put(`/api/sessions/${old.id}`, { note: 'still mine' }).expect(200);
  });

  test('rejects an overlap and reports the other record; adjacent records do not overlap', async () => {
    const user = await app.createUser();
    const own = await createProject(app, user, '第一');
    const other = await createProject(app, user, 'Second');
    const first = await record(user, { started_at: '2026-03-01T08:00:00Z', ended_at: '2026-03-01T09:00:00Z' }, own);
    await record(user, { started_at: '2026-03-01T09:00:00Z', ended_at: '2026-03-01T10:00:00Z' }, other);
    await record(user, { started_at: '2026-03-01T07:00:00Z', ended_at: '2026-03-01T08:00:00Z' }, other);
    const response = await app
      .as(user)
      .post(`/api/projects/${other}/sessions`, { started_at: '2026-03-01T08:59:59Z', duration_seconds: 1 })
      .expect(409);
    expect(response.body.error).toEqual({
      code: 'SESSION_OVERLAP',
      message: `It overlaps your record ${first.id} on “第一”, from 2026-03-01T08:00:00.000Z to 2026-03-01T09:00:00.000Z.`,
      details: [
        { field: 'session_id', message: String(first.id) },
        { field: 'project_id', message: String(own) },
        { field: 'started_at', message: '2026-03-01T08:00:00.000Z' },
        { field: 'ended_at', message: '2026-03-01T09:00:00.000Z' },
      ],
    });
    expect(await figures(app, other)).toMatchObject({ sessions_count: 2, current_hours: 2 });

    const later = await record(user, { started_at: '2026-03-02T08:00:00Z', duration_seconds: 60 }, own);
    const admin = await app.createUser({ role: 'admin' });
    const { body } = await app
      .as(admin)
      .put(`/api/sessions/${later.id}`, { started_at: '2026-03-01T08:30:00Z' })
      .expect(409);
    expect(body.message).toMatch(`It overlaps record ${first.id} of the same user on “第一”`);
  });

  test('with an Idempotency-Key saves one record for repeated requests', async () => {
    const body = timeSpan();
    const post = () =>
      app.as(owner).post(`/api/projects/${projectId}/sessions`, body).set('Idempotency-Key', 'once-only-1');
    const responses = await Promise.all([post(), post(), post()]);
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map((response) => response.body.data.id)).size).toBe(1);
    expect(responses.filter((response) => response.headers['idempotent-replayed'] === 'true')).toHaveLength(2);
    const busy = await app
      .as(owner)
      .post(`/api/projects/${projectId}/sessions`, body)
      .set('Idempotency-Key', 'another')
      .expect(409);
    expect(codeOf(busy)).toBe('SESSION_OVERLAP');
  });
});

describe('reading and changing', () => {
  test('checks permissions', async () => {
    const { id } = await record(member);
    const path = `/api/sessions/${id}`;
    await app.anonymous.get(path).expect(401);
    for (const user of [member, owner, admin]) await app.as(user).get(path).expect(200);
    await app.as(outsider).get(path).expect(403);
    await app.as(owner).put(path, { note: 'not mine' }).expect(403);
    await app.as(owner).put(path, { note: 7 }).expect(403);
    await app.as(outsider).put(path, {}).expect(403);
    await app.as(owner).delete(path).expect(403);
    await app.as(member).put(path, { note: 7 }).expect(400);
    const changed = await app.as(admin).put(path, { note: 'checked' }).expect(200);
    expect(changed.body.data).toMatchObject({ id, user_id: member.id, note: 'checked' });
    await app.as(member).delete(path).expect(200);
    for (const user of [member, owner, admin, outsider]) await app.as(user).get(path).expect(404);
    await app.as(member).put(path, { note: 7 }).expect(404);
    await app.as(member).delete(path).expect(404);
    await app.as(member).get('/api/sessions/0').expect(400);
  });

  test('corrects times and totals; sending unchanged values changes nothing', async () => {
    const own = await createProject(app, owner, 'Corrections');
    const created = await record(owner, timeSpan(3600), own);
    const path = `/api/sessions/${created.id}`;
    const put = async (body: object) => (await app.as(owner).put(path, body).expect(200)).body.data;
    expect(await put(created)).toEqual(created);
    expect(await put({})).toEqual(created);
    const later = new Date(Date.parse(created.started_at) + 1_800_000).toISOString();
    const moved = await put({ started_at: later });
    expect(moved).toMatchObject({ started_at: later, ended_at: created.ended_at, duration_seconds: 1800 });
    expect(moved.updated_at >= created.updated_at).toBe(true);
    const shorter = await put({
      ...moved,
      duration_seconds: 600,
      user_id: 1,
      hours: 99,
      source: 'timer',
    });
    expect(shorter).toMatchObject({ duration_seconds: 600, user_id: owner.id, project_id: own, source: 'manual' });
    const ended = await put({ ...shorter, ended_at: created.ended_at });
    expect(ended).toMatchObject({ duration_seconds: 1800, ended_at: created.ended_at });
    const followed = await put({ started_at: created.started_at, duration_seconds: 1800 });
    expect(followed).toMatchObject({ started_at: created.started_at, ended_at: later });
    expect(await figures(app, own)).toMatchObject({ current_seconds: 1800, current_hours: 0.5, sessions_count: 1 });
    for (const [body, field] of [
      [{ ended_at: created.started_at }, 'ended_at'],
      [{ ended_at: null }, 'ended_at'],
      [{ started_at: '1990-01-01T00:00:00Z' }, 'started_at'],
      [{ ended_at: created.ended_at, duration_seconds: 7 }, 'duration_seconds'],
      [{ duration_seconds: 0 }, 'duration_seconds'],
    ] as const) {
      const response = await app.as(owner).put(path, body).expect(400);
      expect(fieldsOf(response)).toContain(field);
    }
    await app.as(owner).delete(path).expect(200);
    expect(await figures(app, own)).toMatchObject({ current_seconds: 0, sessions_count: 0 });
  });

  test('rejects a correction that overlaps', async () => {
    const user = await app.createUser();
    const own = await createProject(app, user);
    const first = await record(user, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 3600 }, own);
    const second = await record(user, { started_at: '2026-03-01T10:00:00Z', duration_seconds: 3600 }, own);
    const response = await app
      .as(user)
      .put(`/api/sessions/${second.id}`, { started_at: '2026-03-01T08:30:00Z' })
      .expect(409);
    expect(codeOf(response)).toBe('SESSION_OVERLAP');
    expect(response.body.error.details[0]).toEqual({ field: 'session_id', message: String(first.id) });
    await app.as(user).put(`/api/sessions/${second.id}`, { started_at: '2026-03-01T09:00:00Z' }).expect(200);
  });

  test('returns 412 for a stale If-Match, without a change', async () => {
    const created = await record(owner);
    const path = `/api/sessions/${created.id}`;
    const { headers } = await app.as(owner).get(path).expect(200);
    const etag = headers['etag'] ?? '';
    await app.as(owner).get(path).set('If-None-Match', etag).expect(304);
    const changed = await app.as(owner).put(path, { note: 'one' }).set('If-Match', etag).expect(200);
    await app.as(owner).get(path).set('If-None-Match', etag).expect(200);
    await app.as(owner).put(path, { note: 'two' }).set('If-Match', etag).expect(412);
    await app.as(owner).delete(path).set('If-Match', etag).expect(412);
    expect((await app.as(owner).get(path)).body.data.note).toBe('one');
    await app
      .as(owner)
      .delete(path)
      .set('If-Match', changed.headers['etag'] ?? '')
      .expect(200);
  });

  test('changes the ETag when the project is renamed', async () => {
    const own = await createProject(app, owner, 'Before');
    const { id } = await record(owner, timeSpan(), own);
    const { headers } = await app.as(owner).get(`/api/sessions/${id}`).expect(200);
    await app.query(`UPDATE projects SET name = 'After' WHERE id = ${own}`);
    const response = await app
      .as(owner)
      .get(`/api/sessions/${id}`)
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(200);
    expect(response.body.data.project_name).toBe('After');
  });

  test('allows reading and changing records of a deleted project', async () => {
    const own = await createProject(app, owner, 'Short-lived');
    await assign(app, own, member);
    const { id } = await record(member, timeSpan(), own);
    await app.as(owner).delete(`/api/projects/${own}`).expect(200);
    await app.as(owner).get(`/api/projects/${own}/sessions`).expect(404);
    await app.as(member).post(`/api/projects/${own}/sessions`, timeSpan()).expect(404);
    const read = await app.as(member).get(`/api/sessions/${id}`).expect(200);
    expect(read.body.data.project_name).toBe('Short-lived');
    await app.as(member).put(`/api/sessions/${id}`, { note: 'kept' }).expect(200);
  });
});

describe('lists', () => {
  test('contain what the reader may see, filtered, paginated and sorted', async () => {
    const [ann, ben, cid] = [await app.createUser(), await app.createUser(), await app.createUser()];
    const annsOwn = await createProject(app, ann, 'Of Ann');
    const bensOwn = await createProject(app, ben, 'Of Ben');
    await assign(app, annsOwn, ben);
    await assign(app, bensOwn, ann);
    await assign(app, annsOwn, cid);
    const created: Record<string, number> = {};
    for (const [name, user, project, hour] of [
      ['a1', ann, annsOwn, 1],
      ['a2', ann, bensOwn, 2],
      ['b1', ben, annsOwn, 3],
      ['b2', ben, bensOwn, 4],
      ['c1', cid, annsOwn, 4],
    ] as const) {
      const body = { started_at: `2026-04-01T0${hour}:00:00Z`, duration_seconds: 600 };
      created[name] = (await record(user, body, project)).id;
    }
    const names = new Map(Object.entries(created).map(([name, id]) => [id, name]));
    const find = async (user: TestUser, path: string) => {
      const { data } = (await app.as(user).get(path).expect(200)).body;
      const found = data.sessions.map((session: { id: number }) => names.get(session.id)).join(' ');
      return `${found} of ${data.pagination.total}`;
    };
    expect(await find(ann, '/api/sessions')).toBe('c1 b1 a2 a1 of 4');
    expect(await find(ann, '/api/sessions?order=asc')).toBe('a1 a2 b1 c1 of 4');
    expect(await find(ann, '/api/sessions?page=2&limit=3')).toBe('a1 of 4');
    expect(await find(ann, '/api/sessions?page=9')).toBe(' of 4');
    expect(await find(ann, `/api/sessions?user_id=${ann.id}`)).toBe('a2 a1 of 2');
    expect(await find(ann, `/api/sessions?user_id=${ben.id}`)).toBe('b1 of 1');
    expect(await find(ann, `/api/sessions?project_id=${bensOwn}`)).toBe('a2 of 1');
    expect(await find(ann, `/api/sessions?project_id=${annsOwn}&user_id=${cid.id}`)).toBe('c1 of 1');
    expect(await find(ann, '/api/sessions?from=2026-04-01T02:00:00Z&to=2026-04-01T04:00:00Z')).toBe('b1 a2 of 2');
    expect(await find(ann, '/api/sessions?from=2026-04-01T10:00:00%2B08:00')).toBe('c1 b1 a2 of 3');
    expect(await find(ben, '/api/sessions')).toBe('b2 b1 a2 of 3');
    expect(await find(cid, '/api/sessions')).toBe('c1 of 1');
    expect(await find(cid, `/api/sessions?user_id=${ann.id}`)).toBe(' of 0');
    expect(await find(admin, `/api/sessions?project_id=${annsOwn}`)).toBe('c1 b1 a1 of 3');
    expect(await find(admin, `/api/sessions?user_id=${ben.id}`)).toBe('b2 b1 of 2');
    expect(await find(ann, `/api/projects/${annsOwn}/sessions`)).toBe('c1 b1 a1 of 3');
    expect(await find(ann, `/api/projects/${annsOwn}/sessions?user_id=${ben.id}`)).toBe('b1 of 1');
    expect(await find(ben, `/api/projects/${annsOwn}/sessions`)).toBe('b1 of 1');
    expect(await find(cid, `/api/projects/${annsOwn}/sessions?user_id=${ann.id}`)).toBe(' of 0');
    const all = (await app.as(admin).get('/api/sessions?limit=500').expect(200)).body.data;
    expect(all.pagination.limit).toBe(100);
  });

  test('reject invalid values, after checking access to the project', async () => {
    for (const query of [
      'page=0',
      'limit=x',
      'order=up',
      'from=monday',
      'to=2026-02-30',
      'user_id=-1',
      'project_id=1&project_id=2',
    ])
      await app.as(owner).get(`/api/sessions?${query}`).expect(400);
    await app.as(outsider).get(`/api/projects/${projectId}/sessions?page=0`).expect(403);
    await app.as(owner).get('/api/projects/999999/sessions?page=0').expect(404);
    await app.anonymous.get('/api/sessions').expect(401);
    expect((await app.as(outsider).get('/api/sessions').expect(200)).body.data).toEqual({
      sessions: [],
      pagination: { page: 1, limit: 10, total: 0, pages: 0 },
    });
  });
});
