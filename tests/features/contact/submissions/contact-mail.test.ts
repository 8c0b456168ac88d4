import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as backgroundJobs from '../../../../src/features/operations/background-work/background-job-repository.ts';
import { contactSettings, runJob, submit } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
let smtp: TestSmtpServer;
let app: TestApp;

function settings(given: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    ...contactSettings,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CONTACT_NOTIFY: 'ann@example.org,ben@example.org',
    ...given,
  };
}

beforeEach(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: settings(), clock });
});
afterEach(async () => {
  await app.stop();
  await smtp.stop();
});

const send = (from = app) => runJob(from, 'mail about new contact requests');

async function written(given: object = {}): Promise<number> {
  const { status, body } = await submit(app, given);
  expect(status).toBe(201);
  return body.requestId;
}

describe('mail about new contact requests', () => {
  test('is sent from SITE_NAME and MAIL_FROM, if set', async () => {
    const from = { name: '西田 & Co', address: 'studytrack@example.org' };
    const given = settings({ SITE_NAME: from.name, MAIL_FROM: from.address });
    const other = await startTestApp({ settings: given, clock, databaseUrl: app.databaseUrl });
    await written();
    await send(other);
    expect(smtp.mails.map((mail) => mail.from)).toMatchObject([from]);
    await other.stop();
  });

  test('is sent once to all administrators, with the sender as Reply-To', async () => {
    const message = '您好，\n.\nline two <b>bold</b>\nBcc: everybody@example.org';
    const fields = {
      name: '林小雨',
      email: 'lin@example.org',
      phone: '13800138000',
      subject: 'password_reset',
      message,
    };
    const id = await written(fields);
    await send();
    await send();

    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail?.recipients).toEqual(['ann@example.org', 'ben@example.org']);
    expect(mail?.from?.address).toBe('ann@example.org');
    expect(mail?.replyTo?.map((address) => address.address)).toEqual(['lin@example.org']);
    expect(mail?.subject).toBe(`New contact request #${id}: Password reset`);
    expect(mail?.text).toContain(message);
    expect(mail?.text).toContain('林小雨');
    expect(mail?.text).toContain('13800138000');
    expect(mail?.html).toBeUndefined();
  });

  test('is sent at most every ten minutes: requests in between are combined', async () => {
    await written();
    await send();
    const ids = [await written({ name: 'Second' }), await written({ name: 'Third' })];
    clock.advance(10 * minute - 1);
    await send();
    expect(smtp.mails).toHaveLength(1);

    clock.advance(1);
    await send();
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails[1]?.subject).toBe('2 new contact requests');
    expect(smtp.mails[1]?.replyTo).toBeUndefined();
    for (const id of ids) expect(smtp.mails[1]?.text).toContain(`#${id} `);

    clock.advance(60 * minute);
    await send();
    expect(smtp.mails).toHaveLength(2);
  });

  test('shows at most 50 of many requests and counts the others', async () => {
    await app.query(
      `
      WITH made AS (
        INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
        SELECT 'Flood', 'f@example.org', 'other', 'text', '192.0.2.1', '', now(), now() FROM generate_series(1, 60)
        RETURNING id)
      INSERT INTO background_jobs (kind, ordering_key, payload, created_at, next_at)
      SELECT 'contact_mail', 'administrators', jsonb_build_object('request_id', id), $1::timestamptz, $1::timestamptz FROM made`,
      [clock().toISOString()],
    );
    await send();
    expect(smtp.mails[0]?.subject).toBe('60 new contact requests');
    expect(smtp.mails[0]?.text?.match(/Name: Flood/g)).toHaveLength(50);
    expect(smtp.mails[0]?.text).toContain('And 10 more in the inbox.');
    expect(await app.query('SELECT 1 FROM background_jobs')).toEqual([]);
  });

  test('is retried while the mail server is down, without delaying submissions', async () => {
    await smtp.stop();
    const ids = [await written()];
    await send();
    ids.push(await written());
    await send(); // not yet: half a minute must pass
    expect(await app.query('SELECT failures FROM background_jobs ORDER BY id LIMIT 1')).toEqual([{ failures: 1 }]);
    for (const wait of [0.5, 1, 2, 4, 8, 16, 30, 30]) {
      clock.advance(wait * minute - 1);
      await send();
      clock.advance(1);
      await send();
    }
    expect(await app.query('SELECT failures FROM background_jobs ORDER BY id LIMIT 1')).toEqual([{ failures: 9 }]);

    smtp = await startSmtpServer({ port: smtp.port });
    clock.advance(30 * minute);
    await send();
    expect(smtp.mails).toHaveLength(1);
    for (const id of ids) expect(smtp.mails[0]?.text).toContain(`#${id} `);
    expect(await app.query('SELECT 1 FROM background_jobs')).toEqual([]);
  });

  test('is retried after the mail server has rejected it', async () => {
    await smtp.stop();
    smtp = await startSmtpServer({ port: smtp.port, refuse: true });
    await written();
    await send();
    expect(await app.query('SELECT 1 FROM background_jobs')).toHaveLength(1);
    await smtp.stop();
    smtp = await startSmtpServer({ port: smtp.port });
    clock.advance(minute);
    await send();
    expect(smtp.mails).toHaveLength(1);
  });

  test('is sent once by two processes', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl, settings: settings(), clock });
    for (let round = 1; round <= 5; round += 1) {
      await written();
      await Promise.all([send(), send(other), send(), send(other), send(other)]);
      expect(smtp.mails).toHaveLength(round);
      clock.advance(10 * minute);
    }
    await other.stop();
  });

  test('is sent by another process if the one that claimed it was terminated', async () => {
    await written();
    // The state after a process was killed before sending.
    const now = clock();
    const leaseEnd = new Date(now.getTime() + 5 * minute);
    await backgroundJobs.claimNext(app.container.store, { kind: 'contact_mail', queue: '', now, leaseEnd });
    await send();
    expect(smtp.mails).toHaveLength(0);
    clock.advance(5 * minute);
    await send();
    expect(smtp.mails).toHaveLength(1);
  });

  test('does not include deleted requests', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const id = await written();
    await app.as(admin).delete(`/api/admin/contact-requests/${id}`).expect(200);
    await send();
    expect(smtp.mails).toHaveLength(0);
  });

  test('does not include rejected submissions', async () => {
    await submit(app, { captcha: '0000' });
    await submit(app, { email: 'twice@example.org' });
    await submit(app, { email: 'twice@example.org' });
    await send();
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]?.subject).toContain('New contact request');
  });

  test('is sent from the SMTP account, in the default language', async () => {
    const SMTP_URL = `smtp://robot%40example.org:secret@127.0.0.1:${smtp.port}`;
    const chinese = await startTestApp({
      databaseUrl: app.databaseUrl,
      settings: settings({ SMTP_URL, DEFAULT_LOCALE: 'zh' }),
      clock,
    });
    const id = await written({ subject: 'feature_request' });
    await send(chinese);
    expect(smtp.mails[0]?.from?.address).toBe('robot@example.org');
    expect(smtp.mails[0]?.subject).toBe(`新的联系申请 #${id}：功能建议`);
    await chinese.stop();
  });

  test('is not queued without recipients', async () => {
    const withoutRecipients = await startTestApp({
      databaseUrl: app.databaseUrl,
      settings: settings({ CONTACT_NOTIFY: '' }),
    });
    expect((await submit(withoutRecipients)).status).toBe(201);
    expect(await app.query('SELECT 1 FROM background_jobs')).toEqual([]);
    await withoutRecipients.stop();
  });

  test('goes to the administrators who chose it, and to nobody else', async () => {
    const chosen = await startTestApp({
      databaseUrl: app.databaseUrl,
      settings: settings({ CONTACT_NOTIFY: '' }),
      clock,
    });
    const [admin, student] = [await chosen.createUser({ role: 'admin' }), await chosen.createUser()];
    const limited = await chosen.createUser({ role: 'admin' });
    for (const user of [admin, student, limited])
      await chosen.as(user).put('/api/auth/me', { new_request_mail: true }).expect(200);
    const scope = { admin_scope: 'groups', admin_group_ids: [] };
    await chosen.as(admin).put(`/api/admin/users/${limited.id}`, scope).expect(200);
    expect((await submit(chosen)).status).toBe(201);
    await send(chosen);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[admin.email]]);
    await chosen.stop();
  });
});
