import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** Two instances with their own cache and pool on one database, like two processes. */
let one: TestApp;
let two: TestApp;
let admin: TestUser;
let readers: TestUser[];

beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ databaseUrl: one.databaseUrl });
  admin = await one.createUser({ role: 'admin' });
  readers = [await one.createUser(), await one.createUser(), admin];
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

/** The expected state of a project. Only its writer changes it, one write after the other. */
type Track = {
  id: number;
  owner: TestUser;
  version: number;
  member: boolean;
  deleted: boolean;
  seconds: number;
  steps: number;
  writing: boolean;
};

const rounds = 80; // for each of the four writers and four readers: 640 in all

async function write(app: TestApp, track: Track, round: number): Promise<void> {
  const path = `/api/projects/${track.id}`;
  track.writing = true;
  const kind = round % 5;
  if (track.deleted) {
    await app.as(admin).post(`${path}/restore`).expect(200);
    track.deleted = false;
  } else if (kind === 0) {
    await app
      .as(admin)
      .put(path, { name: `Version ${track.version + 1}` })
      .expect(200);
    track.version += 1;
  } else if (kind === 1 || kind === 3) {
    const users = track.member ? [] : [readers[0]?.id];
    await app.as(admin).put(path, { assigned_user_ids: users }).expect(200);
    track.member = !track.member;
  } else if (kind === 2) {
    // A study record changes the shown hours but no list version.
    await app.query(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT $1, (SELECT user_id FROM projects WHERE id = $1), $2, '2020-01-01Z'::timestamptz + $3::int * interval '1 hour', '2020-01-01Z'::timestamptz + $3::int * interval '1 hour' + interval '36 seconds', 'manual', 'UTC'`,
      [track.id, track.owner.id, track.steps],
    );
    track.seconds += 36;
  } else if (round % 25 === 4) {
    await app.as(admin).delete(path).expect(200);
    track.deleted = true;
  }
  track.steps += 1;
  track.writing = false;
}

type Shown = { id: number; name: string; current_hours: number };

async function read(app: TestApp, reader: TestUser, tracks: readonly Track[]): Promise<string[]> {
  const before = tracks.map((track) => ({ ...track }));
  const response = await app.as(reader).get('/api/projects?limit=100').expect(200);
  const shown = new Map<number, Shown>(response.body.data.projects.map((project: Shown) => [project.id, project]));
  return tracks.flatMap((track, index) => {
    const earlier = before[index];
    const project = shown.get(track.id);
    if (earlier === undefined) return [];
    const isUnchanged = !earlier.writing && track.steps === earlier.steps && !track.writing;
    const visible =
      !earlier.deleted &&
      (reader.role === 'admin' || track.owner === reader || (earlier.member && reader === readers[0]));
    const stale: string[] = [];
    if (isUnchanged && visible !== (project !== undefined))
      stale.push(`project ${track.id} ${visible ? 'missing' : 'still shown'}`);
    if (project !== undefined && Number(project.name.split(' ')[1]) < earlier.version)
      stale.push(`${project.name} after ${earlier.version}`);
    if (project !== undefined && Math.round(project.current_hours * 100) < earlier.seconds / 36)
      stale.push(`hours of ${track.id}`);
    return stale;
  });
}

describe('freshness', () => {
  test('no list on either instance is older than a completed write', async () => {
    const tracks: Track[] = [];
    for (const owner of [readers[1], readers[1], admin, admin]) {
      if (owner === undefined) continue;
      const body = { name: 'Version 0', assigned_user_ids: [readers[1]?.id] };
      const { data } = (await one.as(owner).post('/api/projects', body).expect(201)).body;
      if (owner === admin) await one.as(admin).put(`/api/projects/${data.id}`, { assigned_user_ids: [] });
      tracks.push({
        id: data.id,
        owner,
        version: 0,
        member: false,
        deleted: false,
        seconds: 0,
        steps: tracks.length * 10_000,
        writing: false,
      });
    }
    const stale: string[] = [];
    const apps = [one, two];
    const writers = tracks.map(async (track, index) => {
      for (let round = 0; round < rounds; round += 1) await write(apps[(round + index) % 2] ?? one, track, round);
    });
    const reading = Array.from({ length: 4 }, async (_, index) => {
      for (let round = 0; round < rounds; round += 1) {
        stale.push(
          ...(await read(apps[(round + index) % 2] ?? one, readers[(index + (round >> 1)) % 3] ?? admin, tracks)),
        );
      }
    });
    await Promise.all([...writers, ...reading]);
    expect(stale).toEqual([]);
  });

  test('a list that is cached while a write commits does not stay stale', async () => {
    const [reader] = readers;
    if (reader === undefined) throw new Error('no reader');
    const { id } = (await one.as(reader).post('/api/projects', { name: 'Before' }).expect(201)).body.data;
    for (let round = 0; round < 50; round += 1) {
      const filling = Array.from({ length: 3 }, () => two.as(reader).get('/api/projects?limit=100'));
      await Promise.all([
        one
          .as(reader)
          .put(`/api/projects/${id}`, { name: `Round ${round}` })
          .expect(200),
        ...filling,
      ]);
      const names = (await two.as(reader).get('/api/projects?limit=100')).body.data.projects.map(
        (project: Shown) => project.name,
      );
      expect(names).toContain(`Round ${round}`);
    }
  });

  test('unchanged lists are served from the cache', async () => {
    const [reader] = readers;
    const before = one.container.listCache.stats().hits;
    for (let round = 0; round < 5; round += 1) await one.as(reader).get('/api/projects?limit=7').expect(200);
    expect(one.container.listCache.stats().hits - before).toBe(4);
  });
});
