import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactSettings, finishJob, runJob, submit } from '../../../support/contact.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
const posted: string[] = [];
const robot = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  posted.push(body);
  response.end('{"code":0,"msg":"success","data":{}}');
});
let smtp: TestSmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  await once(robot.listen(0, '127.0.0.1'), 'listening');
  app = await startTestApp({
    settings: { ...contactSettings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, WEBHOOK_TARGETS: 'any' },
    clock,
  });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
  robot.closeAllConnections();
  robot.close();
});

const ways = ['mail', 'channel', 'both', 'none'] as const;
type Way = (typeof ways)[number];
const isBy = (part: 'mail' | 'channel', way: Way) => way === part || way === 'both';
const addressOf = (server: typeof robot) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const subjects = [/keep your streak/, /[Ww]eek/];

test.each(ways.flatMap((streak) => ways.map((week) => [streak, week] as const)))(
  'each kind goes its own way: a streak at risk by %s, the summary of the week by %s',
  async (streak, week) => {
    clock.set('2026-02-08T00:00:00Z');
    const user = await app.createUser({ timezone: 'Asia/Shanghai' });
    const project = await createProject(app, user, 'Piano');
    for (const day of ['07', '08'])
      await addSession(app, {
        ...{ project_id: project, user_id: user.id },
        ...{ started_at: `2026-02-${day}T04:00:00Z`, ended_at: `2026-02-${day}T05:00:00Z` },
      });
    const byMail = { streak_reminder_hour: isBy('mail', streak) ? 19 : null, weekly_mail: isBy('mail', week) };
    await app.as(user).put('/api/auth/me', byMail).expect(200);
    const byChannel = { streak_hour: isBy('channel', streak) ? 19 : null, weekly: isBy('channel', week) };
    await app
      .as(user)
      .put('/api/me/channel', { kind: 'feishu', url: addressOf(robot), ...byChannel })
      .expect(200);

    clock.set('2026-02-09T11:30:00Z'); // Monday, 19:30
    for (const sent of [smtp.mails, posted]) sent.length = 0;
    await runJob(app, 'send reminders');
    await runJob(app, 'send mails to account holders');
    for (const _kind of subjects) await finishJob(app, 'send messages to channels'); // one message per run
    const kindsOf = (texts: readonly string[]) =>
      subjects.map((subject) => texts.filter((text) => subject.test(text)).length);
    const expected = (part: 'mail' | 'channel') => [streak, week].map((way) => Number(isBy(part, way)));
    expect(kindsOf(smtp.mails.map(({ subject }) => subject ?? ''))).toEqual(expected('mail'));
    expect(kindsOf(posted)).toEqual(expected('channel'));
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [user.id]);
  },
);

test.each(ways)('new contact requests go to an administrator by %s', async (way) => {
  const date = `2026-02-1${ways.indexOf(way)}`; // at most one mail is sent in ten minutes
  clock.set(`${date}T08:00:00Z`);
  const admin = await app.createUser({ role: 'admin' });
  await app
    .as(admin)
    .put('/api/auth/me', { new_request_mail: isBy('mail', way) })
    .expect(200);
  await app
    .as(admin)
    .put('/api/me/channel', { kind: 'feishu', url: addressOf(robot), new_requests: isBy('channel', way) })
    .expect(200);
  clock.set(`${date}T08:01:00Z`);
  for (const sent of [smtp.mails, posted]) sent.length = 0;
  await submit(app);
  await runJob(app, 'mail about new contact requests');
  await finishJob(app, 'send messages to channels');
  expect(smtp.mails.filter(({ recipients }) => recipients.includes(admin.email))).toHaveLength(
    Number(isBy('mail', way)),
  );
  expect(posted.filter((body) => body.includes('A new contact request'))).toHaveLength(Number(isBy('channel', way)));
  await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [admin.id]);
});
