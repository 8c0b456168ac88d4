import { afterAll, beforeAll, expect, test } from 'vitest';
import { needsAttention, standingOf, standings } from '../../../../web/src/features/progress/standing.ts';
import {
  type AttentionClass,
  attentionOrder,
  attentionPairs,
  createAttentionPairs,
  numberIn,
} from '../../../support/attention-pairs.ts';
import { runJob } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const now = new Date('2026-03-22T12:00:00.000Z'); // a Sunday
const clock = createTestClock(now);
let smtp: TestSmtpServer;
let app: TestApp;
let admin: TestUser;
let group: number;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}`;
  app = await startTestApp({ clock, settings: { SMTP_URL } });
  admin = await app.createUser({ role: 'admin' });
  group = await createAttentionPairs(app, admin, now);
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

type Entry = { username: string; state: AttentionClass };
type Student = Parameters<typeof standingOf>[0];
const read = async (query: string) =>
  (await app.as(admin).get(`/api/admin/progress?limit=100&${query}`).expect(200)).body.data;
const namesIn = (state: string) =>
  attentionPairs
    .filter(({ is }) => is === state)
    .map(({ username }) => username)
    .toSorted();

test('a student to whom two classes of attention apply is in the first of them: list, filters, counts, order and export', async () => {
  const { users, counts, pagination } = await read('');
  expect(Object.fromEntries(users.map(({ username, state }: Entry) => [username, state]))).toEqual(
    Object.fromEntries(attentionPairs.map(({ username, is }) => [username, is])),
  );
  expect(pagination.total).toBe(attentionPairs.length);
  expect(standings).toEqual(attentionOrder);
  const urgent = attentionPairs.filter(({ is }) => is !== 'on_track' && is !== 'without_goals');
  expect(users.filter((each: Student) => needsAttention(standingOf(each)))).toHaveLength(urgent.length);
  const expected = Object.fromEntries(attentionOrder.map((name) => [name, numberIn(name)]));
  expect(counts).toEqual({ ...expected, studying: 0 });
  expect((await read(`group_id=${group}`)).counts).toEqual(counts);
  for (const state of attentionOrder) {
    const found = await read(`state=${state}`);
    expect(found.users.map(({ username }: Entry) => username).toSorted()).toEqual(namesIn(state));
    expect(found.pagination.total).toBe(numberIn(state));
    const { text } = await app.as(admin).get(`/api/admin/progress/export?state=${state}`).expect(200);
    expect(text.trim().split('\r\n')).toHaveLength(1 + numberIn(state));
  }
  const ranks = (await read('sort=urgency&order=desc')).users.map(({ state }: Entry) => attentionOrder.indexOf(state));
  expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => a - b));
});

test('the mail to administrators and the trend count these classes', async () => {
  await app.query('UPDATE users SET weekly_mail = true WHERE id = $1', [admin.id]);
  clock.set('2026-03-23T08:00:00.000Z');
  await runJob(app, 'send reminders');
  await runJob(app, 'send mails to account holders');
  const [silent, overdue, behind, slowing] = attentionOrder.map(numberIn);
  expect(smtp.mails[0]?.text?.replace(/\s+/g, ' ')).toContain(
    `- Pairs: ${silent} without study for a week, ${overdue} with an overdue goal, ${behind} behind, ${slowing} slowing`,
  );
  // A week later nobody has studied since, and the goals of the week before are the same.
  clock.set('2026-03-29T12:00:00.000Z');
  await app.query("UPDATE users SET created_at = '2026-01-01Z'");
  const later = await app.createUser({ role: 'admin' });
  const { weeks } = (await app.as(later).get(`/api/admin/progress/trend?group_id=${group}`).expect(200)).body.data;
  expect(weeks.at(-1)).toMatchObject({ users: attentionPairs.length, on_track: numberIn('on_track') });
});
