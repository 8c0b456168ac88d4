import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as statistics from '../../../../src/features/study/statistics/statistics-read-model.ts';
import {
  toPersonalStatisticsResponse,
  toStatisticsResponse,
} from '../../../../src/features/study/statistics/statistics-routes.ts';
import { addSession, changeStatus, createProject } from '../../../support/records.ts';
import {
  expectedStatistics,
  expectedToday,
  type StatusChange,
  type Stretch,
} from '../../../support/statistics-oracle.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

/** Clock changes forwards and backwards, at and across midnight, by half an hour, by a day. */
const clockChanges = [
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

/** Consecutive records around a time, up to a day long, with gaps of up to three days. */
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

/** Start of the day, rest weekdays and start of the week. */
const preferences = fc.oneof(
  fc.constant({ dayStart: 0, rest: [], weekStart: 1 }),
  fc.record({
    dayStart: fc.oneof(fc.constant(3), fc.integer({ min: 0, max: 6 })),
    rest: fc.oneof(fc.constant([6, 7]), fc.subarray([1, 2, 3, 4, 5, 6, 7], { maxLength: 6 })),
    weekStart: fc.integer({ min: 1, max: 7 }),
  }),
);

const scenario = fc.constantFrom(...clockChanges).chain(([zone, date]) => {
  const center = Date.parse(`${date}T00:00:00Z`);
  // In Newfoundland clocks went back at 0:01, which splits a day into two parts; a pause between them would be both on that
  // day and after it.
  const maxPauses = zone === 'America/St_Johns' ? 0 : 4;
  return fc.record({
    zone: fc.constant(zone),
    records: records(center),
    // Odd offsets, so that no pause starts or ends exactly at midnight.
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
    preferences,
  });
});

let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  ann = await app.createUser();
});
afterAll(() => app.stop());

async function createHistory(stretches: readonly Stretch[], changes: readonly StatusChange[]): Promise<number> {
  await app.query('DELETE FROM study_sessions');
  const project_id = await createProject(app, ann, 'Oracle');
  for (const { start, end } of stretches) {
    const [started_at, ended_at] = [new Date(start).toISOString(), new Date(end).toISOString()];
    await addSession(app, { project_id, user_id: ann.id, started_at, ended_at });
  }
  for (const { at, active } of changes) {
    await changeStatus(app, project_id, active ? 'active' : 'paused', new Date(at).toISOString());
  }
  return project_id;
}

describe('statistics equal those of a simple reference implementation', () => {
  test('for a project with pauses and a user with any preferences, in zones with unusual clock changes', async () => {
    const actor = {
      id: ann.id,
      role: 'user' as const,
      username: '',
      timezone: 'UTC',
      sign_in_id: '',
      must_change_password: false,
      totp_enabled: false,
    };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ zone, records: stretches, pauses, later, weeks, preferences: given }) => {
        const last = Math.max(0, ...stretches.map((stretch) => stretch.end), ...pauses.map((change) => change.at));
        const now = (last === 0 ? Date.parse('2024-05-05T05:05:05Z') : last) + later;
        const projectId = await createHistory(stretches, pauses);
        await app.query('UPDATE users SET day_start_hour = $2, rest_weekdays = $3, week_start = $4 WHERE id = $1', [
          ann.id,
          given.dayStart,
          `{${given.rest.join(',')}}`,
          given.weekStart,
        ]);
        const calendar = { zone, now: new Date(now), user_id: ann.id };
        const found = await statistics.readProject(app.database, actor, projectId, calendar, null);
        if (found?.totals == null) throw new Error('the owner sees the statistics');
        expect(toStatisticsResponse(found, found.totals, { zone, weeks })).toEqual({
          ...expectedStatistics({ records: stretches, changes: pauses, zone, now, ...given }, weeks),
          completion_rate: 0,
        });
        const person = await statistics.readUser(app.database, actor, ann.id, calendar);
        if (person === undefined) throw new Error('the user exists');
        expect(toPersonalStatisticsResponse(person, { zone, weeks })).toMatchObject({
          ...expectedStatistics({ records: stretches, zone, now, ...given }, weeks),
          ...expectedToday({ records: stretches, zone, now, ...given }),
        });
      }),
      { numRuns: 30 },
    );
  });
});
