import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStatisticsReadModel } from '../../src/features/statistics/statistics-read-model.ts';
import { expectedStatistics, type StatusChange, type Stretch } from '../support/statistics-oracle.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** Clocks go forward and back, at midnight, over midnight, twice over the same midnight, by half an hour, by a day. */
const corners = [
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Africa/Cairo', '2023-04-28'],
  ['Africa/Cairo', '2023-10-27'],
  ['Asia/Beirut', '2024-03-31'],
  ['Asia/Beirut', '2024-10-27'],
  ['America/Havana', '2024-11-03'],
  ['Atlantic/Azores', '2025-10-26'],
  ['America/St_Johns', '2010-11-07'],
  ['America/St_Johns', '2010-03-14'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Pyongyang', '2018-05-05'],
  ['Asia/Kathmandu', '2025-01-01'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['Europe/Berlin', '2026-03-29'],
  ['America/New_York', '2020-11-01'],
  ['Asia/Shanghai', '2021-01-01'],
  ['UTC', '2024-12-30'],
] as const;

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

/** Records one after the other, some short, some a whole day, with gaps of up to three days, around a moment. */
const records = (center: number) =>
  fc
    .array(
      fc.record({
        gap: fc.oneof(fc.integer({ min: 0, max: 10 * hour }), fc.integer({ min: 0, max: 3 * day })),
        length: fc.oneof(fc.integer({ min: second, max: 3 * hour }), fc.integer({ min: second, max: day })),
      }),
      { maxLength: 12 },
    )
    .chain((parts) =>
      fc.integer({ min: -6 * day, max: day }).map((offset) => {
        let from = center + offset;
        return parts.map(({ gap, length }): Stretch => {
          const start = from + gap;
          from = start + length;
          return { start, end: from };
        });
      }),
    );

const story = fc.constantFrom(...corners).chain(([zone, date]) => {
  const center = Date.parse(`${date}T00:00:00Z`);
  // In Newfoundland clocks went back at one minute past midnight: there a day came in two pieces, and a pause between
  // them lies on a day and after it.
  const maxPauses = zone === 'America/St_Johns' ? 0 : 4;
  return fc.record({
    zone: fc.constant(zone),
    records: records(center),
    // Odd moments, so that none falls on a midnight, where a day would be left without a moment of it.
    pauses: fc.array(fc.integer({ min: -7 * day, max: 9 * day }), { maxLength: maxPauses }).map((offsets) =>
      offsets
        .toSorted((a, b) => a - b)
        .map(
          (offset, index): StatusChange => ({
            at: center + Math.floor(offset / 60_000) * 60_000 + 7_123 + index,
            active: index % 2 === 1,
          }),
        ),
    ),
    later: fc.oneof(fc.integer({ min: 0, max: 2 * day }), fc.integer({ min: 0, max: 30 * day })),
    weeks: fc.integer({ min: 1, max: 8 }),
  });
});

let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  ann = await app.createUser();
});
afterAll(() => app.stop());

async function tell(stretches: readonly Stretch[], changes: readonly StatusChange[]): Promise<number> {
  await app.query('DELETE FROM study_sessions');
  const [project] = await app.query<{ id: number }>(
    `INSERT INTO projects (user_id, name) VALUES ($1, 'Oracle') RETURNING id`,
    [ann.id],
  );
  if (project === undefined) throw new Error('no project was made');
  for (const { start, end } of stretches) {
    await app.query(
      `INSERT INTO study_sessions (project_id, user_id, started_at, ended_at, source, time_zone) VALUES ($1, $2, $3, $4, 'manual', 'UTC')`,
      [project.id, ann.id, new Date(start).toISOString(), new Date(end).toISOString()],
    );
  }
  for (const { at, active } of changes) {
    const [from, to] = active ? ['paused', 'active'] : ['active', 'paused'];
    await app.query('UPDATE projects SET status = $2 WHERE id = $1', [project.id, to ?? '']);
    await app.query(
      `UPDATE project_status_changes SET changed_at = $2
       WHERE id = (SELECT max(id) FROM project_status_changes WHERE project_id = $1 AND from_status = $3)`,
      [project.id, new Date(at).toISOString(), from ?? ''],
    );
  }
  return project.id;
}

describe('statistics against a slow and obvious oracle', () => {
  test('of a project, with pauses, in zones whose clocks do everything clocks do', async () => {
    const readModel = createStatisticsReadModel(app.database);
    const actor = {
      id: ann.id,
      role: 'user' as const,
      username: '',
      timezone: 'UTC',
      sign_in_id: '',
      must_change_password: false,
      totp_enabled: false,
      stamp: { list: '', rows: 0 },
    };
    await fc.assert(
      fc.asyncProperty(story, async ({ zone, records: stretches, pauses, later, weeks }) => {
        const last = Math.max(0, ...stretches.map((stretch) => stretch.end), ...pauses.map((change) => change.at));
        const now = (last === 0 ? Date.parse('2024-05-05T05:05:05Z') : last) + later;
        const projectId = await tell(stretches, pauses);
        const figures = await readModel.readProject(actor, projectId, { zone, now: new Date(now), weeks }, null);
        expect(JSON.parse(figures?.json ?? '')).toEqual({
          ...expectedStatistics({ records: stretches, changes: pauses, zone, now }, weeks),
          completion_rate: 0,
        });
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
