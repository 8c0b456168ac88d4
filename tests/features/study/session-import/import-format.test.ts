import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimeZones, type ZoneRules } from '../../../../src/db/time-zones.ts';
import { layoutOf } from '../../../../src/features/study/session-import/file/layout.ts';
import { agreeingTimes, instantsOf } from '../../../../src/features/study/session-import/file/placement.ts';
import { durationColumn, unitsIn } from '../../../../src/features/study/session-import/file/written-durations.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const rules = new Map<string, ZoneRules>();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const timeZones = createTimeZones(app.database);
  for (const zone of zones) rules.set(zone, await timeZones.rulesOf(zone));
});
afterAll(() => app.stop());
const of = (zone: string): ZoneRules => rules.get(zone) ?? { offsetAt: () => 0 };

describe('local times', () => {
  const at = (hour: number, minute = 0) => Date.UTC(2018, 10, 4, hour, minute);

  test('a repeated hour has two instants, and the duration decides', () => {
    const [starts, ends] = [
      instantsOf(at(1, 20), of('America/New_York')),
      instantsOf(at(2, 20), of('America/New_York')),
    ];
    expect(starts).toEqual([at(5, 20), at(6, 20)]);
    expect(agreeingTimes(starts, ends, 7200)).toEqual([at(5, 20), at(7, 20)]);
    expect(agreeingTimes(starts, ends, 3600)).toEqual([at(6, 20), at(7, 20)]);
  });

  test('a skipped hour has two readings, and the duration decides', () => {
    const local = (hour: number, minute: number) => Date.UTC(2026, 2, 29, hour, minute);
    const [starts, ends] = [
      instantsOf(local(2, 30), of('Europe/Berlin')),
      instantsOf(local(3, 30), of('Europe/Berlin')),
    ];
    expect(agreeingTimes(starts, ends, 3600)).toEqual([local(0, 30), local(1, 30)]);
  });

  test('any instant is among those of its local time', () => {
    const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const moment = minute * 60_000;
        const written = new Date(moment).toLocaleString('sv-SE', { timeZone });
        expect(instantsOf(Date.parse(`${written.replace(' ', 'T')}Z`), of(timeZone))).toContain(moment);
      }),
    );
  });
});

describe('headers', () => {
  test.each([
    'Project,Description,Start date,Start time,Stop date,Stop time,Duration',
    'Projekt,Startdatum,Startzeit,Dauer (h)',
    'Projet,Date de début,Heure de début,Durée (h)',
    'Proyecto,Fecha de inicio,Hora de inicio,Duración (h)',
    'Projeto,Data de início,Hora de início,Duração (h)',
    'プロジェクト,開始日,開始時刻,期間',
    '项目,开始日期,开始时间,结束日期,结束时间',
    'Date,Client,Project,Task,Notes,Hours',
    'project_name,started_at,ended_at',
  ])('%s', (header) => {
    const layout = layoutOf(header.split(','));
    expect(layout).toMatchObject({ at: { project: expect.any(Number) } });
  });

  test.each(['a,b', 'project,note', 'start,note', 'project,end,duration', 'project,start time'])('%s', (header) => {
    expect(layoutOf(header.split(','))).toBeUndefined();
  });
});

describe('headers of durations', () => {
  test.each<[string, object]>([
    ['Duration', {}],
    ['Duration (h)', { number: 'hours', clock: 'hours' }],
    ['Dauer (dezimal)', { number: 'hours' }],
    ['duration_seconds', { number: 'seconds' }],
    ['Time Spent (seconds)', { number: 'seconds' }],
    ['timeSpentSeconds', { number: 'seconds' }],
    ['Duration (s)', { number: 'seconds' }],
    ['Duration, sec', { number: 'seconds' }],
    ['时长(秒)', { number: 'seconds' }],
    ['时长（分钟）', { number: 'minutes' }],
    ['所要時間 (秒)', { number: 'seconds' }],
    ['durationMs', { number: 'milliseconds' }],
    ['Dauer [Min.]', { number: 'minutes' }],
    ['продолжительность (ч)', { number: 'hours' }],
    ['Length (mm:ss)', { clock: 'minutes' }],
    ['Minutes', { number: 'minutes' }],
  ])('%s', (header, units) => {
    expect(unitsIn(header)).toMatchObject(units);
    expect(unitsIn(header).number).toBe((units as { number?: string }).number);
    expect(durationColumn([header])).toEqual({ index: 0 });
  });

  test('hours and minutes in columns of their own are not the duration', () => {
    expect(durationColumn(['Hours', 'Minutes'])).toEqual({ several: [0, 1] });
    expect(durationColumn(['Hours', 'Hours Rounded'])).toEqual({ index: 0 });
    expect(durationColumn(['Time', 'Hora', 'Uhrzeit'])).toBeUndefined();
  });
});
