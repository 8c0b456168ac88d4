import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
let smtp: TestSmtpServer;
let app: TestApp;
let settings: NodeJS.ProcessEnv;

beforeEach(async () => {
  smtp = await startSmtpServer();
  settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'studytrack@example.org', SITE_NAME: '西田 & Co' };
  app = await startTestApp({ settings, clock });
});
afterEach(async () => {
  await app.stop();
  await smtp.stop();
});

const mail = (to: string, text = 'a link') => ({ to, subject: `to ${to}`, text });
const enqueue = (to: string, text?: string) =>
  app.container.store.asService((tx) => app.container.mail.enqueue(tx, mail(to, text)));
const send = (from = app) => runJob(from, 'send mails to account holders');
const waiting = () => app.query<{ failures: number }>('SELECT failures FROM background_jobs ORDER BY id');

describe('mails to account holders', () => {
  test('are sent once, oldest first, from the configured sender', async () => {
    for (const to of ['a@example.org', 'b@example.org', 'c@example.org']) await enqueue(to);
    await send();
    await send();
    expect(smtp.mails.map((sent) => sent.recipients)).toEqual([
      ['a@example.org'],
      ['b@example.org'],
      ['c@example.org'],
    ]);
    expect(smtp.mails[0]).toMatchObject({
      subject: 'to a@example.org',
      from: { name: '西田 & Co', address: 'studytrack@example.org' },
    });
    expect(await waiting()).toEqual([]);
  });

  test('are sent before notices that were queued earlier', async () => {
    const user = await app.createUser();
    await app.as(user).post('/api/me/calendar').expect(200);
    await enqueue('link@example.org');
    await send();
    const subjects = smtp.mails.map(({ subject }) => subject);
    expect(subjects).toEqual(['to link@example.org', 'A calendar address was created for your Studytrack account']);
  });

  test('are sent with an introduction by the name of the service, which no mail server takes for an address', async () => {
    const names = [
      [{ PUBLIC_URL: 'https://study.example.net' }, 'study.example.net'],
      [{}, 'example.org'],
    ] as const;
    for (const [more, name] of names) {
      const named = await startTestApp({ settings: { ...settings, ...more }, clock });
      await named.container.store.asService((tx) => named.container.mail.enqueue(tx, mail('a@example.org')));
      await send(named);
      expect(smtp.introduced.at(-1)).toBe(name);
      await named.stop();
    }
  });

  test('are sent only when the transaction commits', async () => {
    const failing = app.container.store.asService(async (tx) => {
      await app.container.mail.enqueue(tx, mail('a@example.org'));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await send();
    expect(smtp.mails).toEqual([]);
  });

  test('are encrypted at rest', async () => {
    await enqueue('a@example.org', 'https://study.example.org/confirm-email?token=0123456789');
    const [row] = await app.query<{ text: string }>('SELECT j::text AS text FROM background_jobs j');
    expect(row?.text).not.toMatch(/token|example/);
    await send();
    expect(smtp.mails[0]?.text).toContain('token=0123456789');
  });

  test('are sent once by two processes', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl, settings, clock });
    for (let number = 0; number < 20; number += 1) await enqueue(`a${number}@example.org`);
    await Promise.all([send(), send(other), send(), send(other)]);
    expect(new Set(smtp.mails.map((sent) => sent.subject)).size).toBe(20);
    expect(smtp.mails).toHaveLength(20);
    await other.stop();
  });

  test('are retried while the mail server is down, and deleted after a day', async () => {
    await smtp.stop();
    await enqueue('a@example.org');
    await send();
    await send();
    expect(await waiting()).toEqual([{ failures: 1 }]);
    clock.advance(minute / 2);
    await send();
    expect(await waiting()).toEqual([{ failures: 2 }]);

    smtp = await startSmtpServer({ port: smtp.port, refuse: true });
    clock.advance(24 * 60 * minute);
    await send();
    expect(await waiting()).toEqual([]);
  });

  test('are not blocked by a rejected one', async () => {
    await enqueue('not an address');
    await enqueue('b@example.org');
    await send();
    expect(smtp.mails.map((sent) => sent.recipients)).toEqual([['b@example.org']]);
    expect(await waiting()).toEqual([{ failures: 1 }]);
  });

  test('are not stored without a mail server', async () => {
    const withoutMail = await startTestApp({ databaseUrl: app.databaseUrl });
    expect(withoutMail.container.mail.enabled).toBe(false);
    await withoutMail.container.store.asService((tx) => withoutMail.container.mail.enqueue(tx, mail('a@example.org')));
    expect(await waiting()).toEqual([]);
    await withoutMail.stop();
  });
});
