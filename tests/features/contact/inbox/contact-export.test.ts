import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings } from '../../../support/contact.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const file = '/api/admin/contact-requests/export';
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  await app.query(`
    INSERT INTO contact_requests (name, email, phone, subject, message, status, admin_note, ip_address, user_agent, created_at, updated_at)
    VALUES
      ('=HYPERLINK("http://x","y")', '+1@example.org', '13800138000', 'other', E'-1+1, "quoted"\\nsecond', 'pending', '@note',
        '192.0.2.1', E'\\tclient', '2026-01-01Z', '2026-01-01T00:00:00.5Z'),
      ('林小雨', 'lin@example.org', NULL, 'password_reset', '您好', 'resolved', NULL, '2001:db8::1', '', '2026-01-02Z', '2026-01-02Z')`);
});
afterAll(() => app.stop());

async function download(query = ''): Promise<string> {
  const response = await app.as(admin).get(`${file}${query}`).expect(200);
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toBe('attachment; filename="contact-requests.csv"');
  return response.text;
}

describe('the export', () => {
  test('is a CSV file without executable formulas', async () => {
    const text = await download('?format=csv');
    expect(
      text.startsWith('\uFEFF"id","name","email","phone","subject","message","status","admin_note","ip_address",'),
    ).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    const rows: string[][] = parse(text, { bom: true, record_delimiter: '\r\n' });
    expect(rows.slice(1)).toEqual([
      [
        expect.stringMatching(/^\d+$/),
        '林小雨',
        'lin@example.org',
        '',
        'password_reset',
        '您好',
        'resolved',
        '',
        '2001:db8::1',
        '',
        '',
        '2026-01-02T00:00:00.000Z',
        '2026-01-02T00:00:00.000Z',
      ],
      [
        expect.stringMatching(/^\d+$/),
        `'=HYPERLINK("http://x","y")`,
        `'+1@example.org`,
        '13800138000',
        'other',
        `'-1+1, "quoted"\nsecond`,
        'pending',
        `'@note`,
        '192.0.2.1',
        `'\tclient`,
        '',
        '2026-01-01T00:00:00.000Z',
        '2026-01-01T00:00:00.500Z',
      ],
    ]);
  });

  test('supports the filters of the list', async () => {
    const rows = (text: string) => parse(text, { bom: true }).length - 1;
    expect(rows(await download('?status=resolved'))).toBe(1);
    expect(rows(await download('?search=%E6%82%A8'))).toBe(1);
    expect(rows(await download('?subject=technical_support'))).toBe(0);
    expect(rows(await download('?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'))).toBe(1);
    await app.as(admin).get(`${file}?format=xlsx`).expect(400);
    await app.as(admin).get(`${file}?status=x`).expect(400);
  });

  test('contains every row of a large table once, newest first', async () => {
    await app.query(`
      INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
      SELECT 'Row ' || i, 'row' || i || '@example.org', 'other', repeat('text ', 100), '192.0.2.1', '', '2026-02-01Z', '2026-02-01Z'
      FROM generate_series(1, 5000) AS i`);
    const rows: string[][] = parse(await download(), { bom: true });
    const ids = rows.slice(1).map((row) => Number(row[0]));
    expect(ids).toHaveLength(5002);
    expect(new Set(ids).size).toBe(5002);
    expect(ids.slice(0, 5000)).toEqual(ids.slice(0, 5000).sort((a, b) => b - a));
  });

  test('an aborted download leaves no open transaction', async () => {
    for (let i = 0; i < 12; i += 1) {
      const leave = new AbortController();
      const response = await fetch(`${app.origin}${file}`, {
        headers: { Authorization: `Bearer ${admin.token}` },
        signal: leave.signal,
      });
      await response.body?.getReader().read();
      leave.abort();
    }
    expect((await download()).length).toBeGreaterThan(1_000_000);
    await expect
      .poll(() =>
        app.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`),
      )
      .toEqual([]);
  });
});
