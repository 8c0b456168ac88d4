import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { addSession, createProject } from '../../../support/records.ts';
import type { TestApp, TestUser } from '../../../support/test-app.ts';
import { changeRecord, type NewRecord, setUpEarnings } from './earnings.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
let project: number;
const { write, ofProject, ofUser } = setUpEarnings((fixtures) => {
  ({ app, ann, bob, project } = fixtures);
});

/** Records the given number of hours from a date on, at most 24 hours per record. */
async function study(hours: number, from: string, more: Partial<NewRecord> = {}): Promise<void> {
  for (let done = 0; done < hours; done += 24) {
    const start = new Date(Date.parse(from) + done * 3_600_000).toISOString();
    await write({ start, minutes: Math.min(24, hours - done) * 60, ...more });
  }
}

describe('the catalogue', () => {
  test('lists every achievement in the reader’s language, with the time it was earned', async () => {
    await write({ start: '2026-02-02T09:00:00Z' });
    const { data } = (await app.as(ann).get('/api/achievements').expect(200)).body;
    expect(data).toHaveLength(12);
    expect(data[0]).toMatchObject({ id: 1, name: 'First step', icon: '/achievements/first_record.svg' });
    expect(data[0].earned_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(data.slice(1).every((entry: { earned_at: unknown }) => entry.earned_at === null)).toBe(true);
    const chinese = await app.as(bob).get('/api/achievements').set('Accept-Language', 'zh-CN').expect(200);
    expect(chinese.body.data[6]).toEqual({
      id: 7,
      name: '一周不断',
      description: '连续学习 7 天。',
      icon: '/achievements/streak_7.svg',
      requires: { kind: 'streak', amount: 7 },
      earned_at: null,
    });
    await app.anonymous.get('/api/achievements').expect(401);
  });

  test('every icon is served without authentication', async () => {
    const { data } = (await app.as(ann).get('/api/achievements').expect(200)).body;
    for (const { icon } of data) {
      const response = await app.anonymous.get(icon).buffer(true).expect(200);
      expect(response.headers['content-type']).toBe('image/svg+xml');
      expect(response.headers['cache-control']).toBe('public, max-age=2592000');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(await sharp(response.body).metadata()).toMatchObject({ format: 'svg', width: 64, height: 64 });
      await app.anonymous
        .get(icon)
        .set('If-None-Match', response.headers['etag'] ?? '')
        .expect(304);
    }
    for (const file of ['nothing.svg', '..%2f..%2fpackage.json', '.', '%00']) {
      expect((await app.anonymous.get(`/achievements/${file}`)).status).toBe(404);
    }
  });
});

describe('by amount', () => {
  test('the first record counts once it is finished', async () => {
    const id = await addSession(app, { project_id: project, user_id: ann.id, started_at: '2026-02-02T09:00Z' });
    expect(await ofUser()).toEqual([]);
    await changeRecord(app, id, { ended_at: '2026-02-02T10:00Z' });
    expect(await ofUser()).toEqual(['first_record']);
    expect(await ofProject()).toEqual(['first_record']);
  });

  test('hours: a project counts the records of all users, a user their own on all projects', async () => {
    await write({ start: '2026-02-02T09:00:00Z', minutes: 599 });
    expect(await ofProject()).toEqual(['first_record']);
    await write({ start: '2026-02-02T09:00:00Z', minutes: 1, user: bob });
    expect(await ofProject()).toEqual(['first_record', 'hours_10']);
    expect(await ofUser()).toEqual(['first_record']);
    await write({ start: '2026-02-04T09:00:00Z', minutes: 1, on: await createProject(app, bob) });
    expect(await ofUser()).toEqual(['first_record', 'hours_10']);
    expect(await ofUser(bob)).toEqual(['first_record']);
  });

  test('hours: up to five hundred, and extending a record counts', async () => {
    await study(499, '2025-01-01T00:00:00Z');
    expect(await ofUser()).toEqual(expect.arrayContaining(['hours_10', 'hours_50', 'hours_100']));
    expect(await ofUser()).not.toContain('hours_500');
    const [last] = await write({ start: '2025-03-01T00:00:00Z', minutes: 59 });
    expect(await ofUser()).not.toContain('hours_500');
    await changeRecord(app, last ?? 0, { ended_at: '2025-03-01T01:00:00Z' });
    expect(await ofUser()).toContain('hours_500');
    expect(await ofProject()).toContain('hours_500');
  });

  test('achievements are not revoked when records are deleted, and deleted records do not count', async () => {
    const [first] = await write({ start: '2026-02-02T09:00:00Z', minutes: 590 });
    await app.query('DELETE FROM study_sessions WHERE id = $1', [first ?? 0]);
    expect(await ofUser()).toEqual(['first_record']);
    await write({ start: '2026-02-02T09:00:00Z', minutes: 20 });
    expect(await ofUser()).toEqual(['first_record']);
    expect(await ofProject()).toEqual(['first_record']);
  });

  test('a target: earned by the project and by all its participants so far', async () => {
    await app.query('UPDATE projects SET target_hours = 2 WHERE id = $1', [project]);
    await write({ start: '2026-02-02T09:00:00Z', minutes: 119 });
    expect(await ofUser()).not.toContain('target_reached');
    await write({ start: '2026-02-03T09:00:00Z', minutes: 1, user: bob });
    expect(await ofProject()).toContain('target_reached');
    expect(await ofUser()).toContain('target_reached');
    expect(await ofUser(bob)).toContain('target_reached');
  });

  test('a target that each is to reach: earned by the users who have reached it themselves, and not by the others', async () => {
    await app.query("UPDATE projects SET target_hours = 2, target_scope = 'each' WHERE id = $1", [project]);
    await write({ start: '2026-02-02T09:00:00Z', minutes: 100 });
    await write({ start: '2026-02-02T09:00:00Z', minutes: 30, user: bob });
    expect(await ofProject()).toContain('target_reached'); // as its hours and its progress, of all together
    expect([await ofUser(), await ofUser(bob)].flat()).not.toContain('target_reached');
    await write({ start: '2026-02-03T09:00:00Z', minutes: 19 });
    expect(await ofUser()).not.toContain('target_reached');
    await write({ start: '2026-02-03T12:00:00Z', minutes: 1 });
    expect(await ofUser()).toContain('target_reached');
    expect(await ofUser(bob)).not.toContain('target_reached');
    await app.as(ann).put(`/api/projects/${project}`, { target_hours: 0.6 }).expect(200);
    expect(await ofUser(bob)).not.toContain('target_reached');
    await app.as(ann).put(`/api/projects/${project}`, { target_hours: 0.5 }).expect(200);
    expect(await ofUser(bob)).toContain('target_reached');
  });

  test('a target: earned when it is lowered to the hours already recorded', async () => {
    await write({ start: '2026-02-02T09:00:00Z', minutes: 60 });
    await app.as(ann).put(`/api/projects/${project}`, { target_hours: 2 }).expect(200);
    expect(await ofUser()).not.toContain('target_reached');
    await app.as(ann).put(`/api/projects/${project}`, { target_hours: 1 }).expect(200);
    expect(await ofProject()).toContain('target_reached');
    expect(await ofUser()).toContain('target_reached');
  });
});

describe('by the clock, in the zone of the record', () => {
  test.each([
    ['03:59', []],
    ['04:00', ['early_bird']],
    ['06:59', ['early_bird']],
    ['07:00', []],
  ])('starting at %s', async (time, expected) => {
    await write({ start: `2026-02-02T${time}:00+08:00`, zone: 'Asia/Shanghai', minutes: 10 });
    expect((await ofUser()).filter((name) => name === 'early_bird')).toEqual(expected);
    expect((await ofProject()).filter((name) => name === 'early_bird')).toEqual(expected);
  });

  test.each([
    ['21:30', 30, []],
    ['21:30', 31, ['night_owl']],
    ['22:00', 1, ['night_owl']],
    ['00:30', 1, ['night_owl']],
    ['03:59', 1, ['night_owl']],
    ['04:00', 60, []],
    ['12:00', 600, []],
    ['12:00', 601, ['night_owl']],
  ])('from %s for %i minutes', async (time, minutes, expected) => {
    await write({ start: `2026-02-02T${time}:00+05:45`, zone: 'Asia/Kathmandu', minutes });
    expect((await ofUser()).filter((name) => name === 'night_owl')).toEqual(expected);
    expect((await ofProject()).filter((name) => name === 'night_owl')).toEqual(expected);
  });
});

describe('a project', () => {
  test('lists its achievements in the reader’s language', async () => {
    await write({ start: '2026-02-02T09:00:00Z', minutes: 600 });
    const { data } = (await app.as(ann).get(`/api/projects/${project}`).set('Accept-Language', 'zh').expect(200)).body;
    expect(data.achievements).toEqual([
      {
        id: 1,
        name: '第一步',
        description: '完成第一条学习记录。',
        icon: '/achievements/first_record.svg',
        earned_at: expect.any(String),
      },
      expect.objectContaining({ id: 2, name: '渐入佳境' }),
    ]);
  });
});

describe('cached responses', () => {
  test('each achievement of a project increments its row version', async () => {
    const version = async () =>
      (await app.query<{ row_version: number }>('SELECT row_version FROM projects WHERE id = $1', [project]))[0]
        ?.row_version ?? 0;
    for (const start of ['2026-02-01T12:00:00Z', '2026-02-02T05:00:00Z', '2026-02-03T23:00:00Z']) {
      const before = { version: await version(), earned: await ofProject() };
      await write({ start });
      expect((await ofProject()).length).toBeGreaterThan(before.earned.length);
      expect(await version()).toBeGreaterThan(before.version);
    }
  });
});
