import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readCalendar } from '../../../../src/features/school/school-year/calendar-import/calendar-file.ts';
import { ValidationError } from '../../../../src/texts/errors.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const calendar = (...events: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...event.trim().split('\n'), 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const allDay = (name: string, from: string, until?: string) =>
  `SUMMARY:${name}\nDTSTART;VALUE=DATE:${from}${until === undefined ? '' : `\nDTEND;VALUE=DATE:${until}`}`;
const one = (event: string, zone = 'Asia/Shanghai') => readCalendar(calendar(event), zone)[0];

describe('an event', () => {
  test('of several days ends before its DTEND; without one it is one day', () => {
    expect(one(allDay('国庆节', '20261001', '20261008'))).toEqual({
      ...{ number: 1, name: '国庆节', first_day: '2026-10-01', last_day: '2026-10-07', kind: 'off', left_out: null },
    });
    expect(one(allDay('New Year', '20270101'))).toMatchObject({ first_day: '2027-01-01', last_day: '2027-01-01' });
    expect(one(allDay('New Year', '20270101', '20270101'))).toMatchObject({ last_day: '2027-01-01', kind: 'off' });
    expect(one(`${allDay('Half-term', '20261026')}\nDURATION:P1W`)).toMatchObject({ last_day: '2026-11-01' });
  });

  test('has its name from folded and escaped lines, cut to 50 characters', () => {
    expect(one('SUMMARY;LANGUAGE=zh-CN:国\n 庆\\, 中秋\\n节\nDTSTART;VALUE=DATE:20261001')?.name).toBe('国庆, 中秋 节');
    expect([...(one(allDay('😀'.repeat(80), '20261001'))?.name ?? '')]).toHaveLength(50);
  });

  test('is a make-up day by its name, or by the property of Apple', () => {
    for (const name of [
      '国庆节 补班 第1天/共2天',
      '国庆节（班）',
      '国庆节 班',
      '调休上班',
      '補班日',
      '颱風停課補課',
      'Make-up day',
    ])
      expect(one(allDay(name, '20261010')), name).toMatchObject({ kind: 'school_day' });
    expect(one(allDay('Snow make up day', '20261010'))?.kind).toBe('school_day');
    for (const name of ['停课不上课', '全校停課，不上課', '今日不用上班', '取消补班', '补课取消', 'No make-up classes'])
      expect(one(allDay(name, '20261010')), name).toMatchObject({ kind: 'off' });
    expect(one(`${allDay('国庆', '20261010')}\nX-APPLE-SPECIAL-DAY:ALTERNATE-WORKDAY`)?.kind).toBe('school_day');
    expect(one(`${allDay('国庆', '20261001')}\nX-APPLE-SPECIAL-DAY:WORK-HOLIDAY`)?.kind).toBe('off');
  });

  test('with times is on the days of its own zone, in UTC on those of the reader; it is left out, unless it is whole days', () => {
    const timed = (start: string, end: string, zone?: string) => one(`SUMMARY:A\n${start}\n${end}`, zone);
    const whole = timed('DTSTART;TZID=Europe/Berlin:20261001T000000', 'DTEND;TZID=Europe/Berlin:20261003T000000');
    expect(whole).toMatchObject({ first_day: '2026-10-01', last_day: '2026-10-02', kind: 'off', left_out: null });
    const late = ['DTSTART:20261001T160000Z', 'DTEND:20261002T160000Z'] as const;
    expect(timed(...late)).toMatchObject({ first_day: '2026-10-02', last_day: '2026-10-02', kind: 'off' });
    expect(timed(...late, 'Europe/Berlin')).toMatchObject({
      first_day: '2026-10-01',
      last_day: '2026-10-02',
      kind: null,
    });
    const meeting = { first_day: '2026-10-01', last_day: '2026-10-01', kind: null, left_out: 'timed' };
    expect(timed('DTSTART:20261001T090000', 'DURATION:PT1H30M')).toMatchObject(meeting);
  });

  test('is left out with a reason, and its name', () => {
    const reason = (event: string) => one(event)?.left_out;
    expect(reason(`${allDay('A', '20261001')}\nRRULE:FREQ=YEARLY`)).toBe('repeats');
    expect(reason(`${allDay('A', '20261001')}\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30`)).toBe('repeats');
    expect(reason(`${allDay('A', '20261001')}\nSTATUS:CANCELLED`)).toBe('cancelled');
    expect(reason('DTSTART;VALUE=DATE:20261001')).toBe('no_name');
    expect(reason('SUMMARY:A')).toBe('no_dates');
    expect(reason(allDay('A', '20260230'))).toBe('no_dates');
    expect(reason(allDay('A', '19990101'))).toBe('no_dates');
    expect(reason(allDay('A', '20261002', '20261001'))).toBe('no_dates');
    expect(reason(`${allDay('A', '20261002')}\nDURATION:soon`)).toBe('no_dates');
    expect(reason(allDay('A', '20260101', '20270102'))).toBeNull();
    expect(reason(allDay('A', '20260101', '20270103'))).toBe('too_long');
    expect(one(`${allDay('A holiday', '20261001')}\nRRULE:FREQ=FOO`)).toMatchObject({
      name: 'A holiday',
      left_out: 'unreadable',
    });
    expect(one('SUMMARY:A\nno colon')).toMatchObject({ name: 'A', left_out: 'unreadable' });
  });
});

test('line ends of all systems are read; one damaged event costs no other', () => {
  const file = calendar(allDay('A', '20261001'), 'SUMMARY:B\nbroken', allDay('C', '20261002'));
  for (const end of ['\r\n', '\n', '\r'])
    expect(readCalendar(file.replaceAll('\r\n', end), 'UTC').map(({ left_out }) => left_out)).toEqual([
      ...[null, 'unreadable', null],
    ]);
});

test('a file without events, or with more than 500, is refused before they are read', () => {
  const problem = (file: string) => {
    try {
      return readCalendar(file, 'UTC').length;
    } catch (error) {
      return error instanceof ValidationError && error.details[0]?.message.key;
    }
  };
  expect(problem('name,from,to')).toBe('calendar_unknown');
  expect(problem('')).toBe('calendar_unknown');
  expect(problem(calendar())).toBe('calendar_empty');
  expect(problem(calendar(...Array.from({ length: 500 }, () => 'SUMMARY:A')))).toBe(500);
  expect(problem(calendar(...Array.from({ length: 501 }, () => 'SUMMARY:A')))).toBe('calendar_too_long');
});

describe('an import', () => {
  let app: TestApp;
  let admin: TestUser;
  const clock = createTestClock(new Date('2026-11-27T12:00:00.000Z'));

  beforeAll(async () => {
    app = await startTestApp({ clock });
    admin = await app.createUser({ role: 'admin' });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    await app.query('DELETE FROM school_days');
  });

  const send = (file: string | Buffer, fields: Record<string, string | number> = {}, by = admin) => {
    const sent = app
      .as(by)
      .post('/api/admin/school-days/import')
      .attach('file', Buffer.from(file as string), 'days.ics');
    for (const [name, value] of Object.entries(fields)) sent.field(name, String(value));
    return sent;
  };
  const stored = async () =>
    (await app.query('SELECT name, kind, group_id FROM school_days ORDER BY id')) as { name: string; kind: string }[];
  const holidays = calendar(
    allDay('National Day', '20261001', '20261008'),
    allDay('补班', '20261010'),
    'SUMMARY:Meeting\nDTSTART:20261105T090000\nDTEND:20261105T100000',
    `${allDay('Every year', '20270101')}\nRRULE:FREQ=YEARLY`,
  );

  test('is a preview first, of every event and what changes, then all is saved at once', async () => {
    const student = await app.createUser();
    const project_id = Number(await createProject(app, student));
    for (const day of ['23', '24', '26', '27']) {
      const [started_at, ended_at] = [`2026-11-${day}T08:00:00Z`, `2026-11-${day}T09:00:00Z`];
      await addSession(app, { project_id, user_id: student.id, started_at, ended_at });
    }
    const off = calendar(allDay('Sports', '20261125'));
    const preview = (await send(off).expect(200)).body;
    expect(preview.message).toBe('Nothing was saved.');
    expect(preview.data).toMatchObject({
      events: [{ number: 1, name: 'Sports', from: '2026-11-25', to: '2026-11-25', kind: 'off', left_out: null }],
      added: 1,
      effect: { streaks_count: 1, streaks: [{ user_id: student.id, before: 2, after: 4 }] },
    });
    expect(await stored()).toEqual([]);
    const { body } = await send(off, { dry_run: 'false' }).expect(200);
    expect(body).toMatchObject({ message: 'Days were added: 1.', data: { added: 1, effect: null } });
    expect(await stored()).toEqual([{ name: 'Sports', kind: 'off', group_id: null }]);
    const [audit] = await app.query<{ count: string }>(
      "SELECT count(*) FROM audit_log WHERE action = 'importSchoolDays'",
    );
    expect(Number(audit?.count)).toBe(1);
  });

  test('takes events as they are chosen, and can be sent again', async () => {
    const chosen = { dry_run: 'false', off: '3', school_days: '', ignored: '2' };
    await send(holidays, chosen).expect(200);
    expect((await stored()).map(({ name }) => name)).toEqual(['National Day', 'Meeting']);
    const again = (await send(holidays, { dry_run: 'false' }).expect(200)).body.data;
    expect(again.added).toBe(1);
    expect(again.events.map(({ left_out }: { left_out: string }) => left_out)).toEqual([
      ...['exists', null, 'exists', 'repeats'],
    ]);
    expect(await stored()).toHaveLength(3);
  });

  test('sent twice at once adds each event once', async () => {
    const added = await Promise.all(
      [1, 2, 3].map(async () => (await send(holidays, { dry_run: 'false' }).expect(200)).body.data.added),
    );
    expect(added.sort()).toEqual([0, 0, 2]);
  });

  test('names the event that cannot be chosen', async () => {
    const problem = async (fields: Record<string, string>) => (await send(holidays, fields).expect(400)).body.error;
    expect((await problem({ off: '4' })).details).toEqual([
      { field: 'off', message: 'event 4, “Every year”, cannot be imported; its `left_out` says why' },
    ]);
    expect((await problem({ off: '9' })).details[0].message).toBe('the file has no event 9');
    expect((await problem({ off: '0' })).details[0].message).toBe('the file has no event 0');
    expect((await problem({ off: '1', ignored: '1' })).details[0].message).toContain('National Day');
    expect((await problem({ off: '1;2' })).details[0].field).toBe('off');
    expect(await stored()).toEqual([]);
  });

  test('adds nothing if there would be too many entries', async () => {
    await app.query(
      `INSERT INTO school_days (name, first_day, last_day, kind)
       SELECT 'Day', date '2100-01-01' + n, date '2100-01-01' + n, 'off' FROM generate_series(1, 999) AS n`,
    );
    await send(holidays, { dry_run: 'false' }).expect(409);
    expect(await stored()).toHaveLength(999);
  });

  test('reads GB18030 and a byte order mark; other files get a clear error', async () => {
    const named = async (file: Buffer) => (await send(file).expect(200)).body.data.events[0].name;
    expect(await named(Buffer.from(`\uFEFF${calendar(allDay('国庆', '20261001'))}`))).toBe('国庆');
    const gb = Buffer.concat([
      Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:'),
      Buffer.from([0xb9, 0xfa, 0xc7, 0xec]),
      Buffer.from('\r\nDTSTART;VALUE=DATE:20261001\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
    ]);
    expect(await named(gb)).toBe('国庆');
    const problem = async (file: string | Buffer) => (await send(file).expect(400)).body.error.details[0].message;
    expect(await problem('name,from,to')).toContain('iCalendar');
    expect(await problem('')).toContain('iCalendar');
    expect(await problem(Buffer.alloc(513 * 1024, 'a'))).toContain('0.5 MB');
  });

  test('reads UTF-16, and names what it cannot read: other encodings, recurring events, a century', async () => {
    const named = async (file: Buffer) => (await send(file).expect(200)).body.data.events;
    const chinese = calendar(allDay('国庆', '20261001'));
    expect(await named(Buffer.from(`\uFEFF${chinese}`, 'utf16le'))).toMatchObject([{ name: '国庆', left_out: null }]);
    const latin = Buffer.from(calendar(allDay('Pfingsten für alle', '20260525')), 'latin1');
    expect(await named(latin)).toMatchObject([{ from: '2026-05-25', left_out: null }]);
    const hundredYears = calendar(allDay('Century', '20260101', '21260101'), allDay('Past', '19260101', '20260101'));
    expect((await named(Buffer.from(hundredYears))).map(({ left_out }: { left_out: string }) => left_out)).toEqual([
      ...['too_long', 'no_dates'],
    ]);
    const rules = 'RRULE:FREQ=SECONDLY;COUNT=2147483647;BYSECOND=0,1,2,3,4,5,6,7,8,9';
    const recurring = calendar(
      ...Array.from(
        { length: 500 },
        (_, index) => `${allDay(`Lesson ${index}`, '20260901')}\n${rules}\nX-PAD:${'x'.repeat(700)}`,
      ),
    );
    expect(recurring.length).toBeGreaterThan(400_000);
    const events: { left_out: string }[] = await named(Buffer.from(recurring));
    expect(new Set(events.map(({ left_out }) => left_out))).toEqual(new Set(['repeats']));
    const large = (await send(recurring.repeat(3)).expect(400)).body.error.details;
    expect(large).toMatchObject([{ field: 'file' }]);
  });

  test('of an administrator who is limited to classes is for one of these', async () => {
    const create = async (name: string) =>
      Number((await app.as(admin).post('/api/admin/groups', { name }).expect(201)).body.data.id);
    const [own, other] = [await create('Own'), await create('Other')];
    const teacher = await app.createUser({ role: 'admin' });
    const scope = { admin_scope: 'groups', admin_group_ids: [own] };
    await app.as(admin).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
    for (const dry_run of ['true', 'false']) {
      await send(holidays, { dry_run }, teacher).expect(403);
      await send(holidays, { dry_run, group_id: other }, teacher).expect(403);
      await send(holidays, { dry_run, group_id: own }, teacher).expect(200);
    }
    expect((await stored()).map((entry) => Object(entry).group_id).map(Number)).toEqual([own, own]);
    await send(holidays, { group_id: 999_999 }).expect(400);
  });
});
