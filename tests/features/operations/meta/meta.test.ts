import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { version } from '../../../../src/project-root.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const read = async (from = app) => (await from.anonymous.get('/api/meta').expect(200)).body.data;

test('the version, languages and public settings need no authentication', async () => {
  expect(await read()).toMatchObject({
    version,
    default_locale: 'en',
    locales: ['en', 'zh', 'zh-Hant'],
    max_page_size: 100,
    max_timer_hours: 12,
    require_otp: 'none',
    mail: false,
    retention_days: { audit_log: null, addresses: null, contact_requests: null, accounts: null },
    image_origins: [],
    upload_bytes: { uploadProjectImage: 5 * 1024 * 1024 },
  });
  const settings = {
    DEFAULT_LOCALE: 'zh',
    MAX_TIMER_HOURS: '8',
    REQUIRE_OTP: 'admin',
    AUDIT_RETENTION_DAYS: '365',
    ADDRESS_RETENTION_DAYS: '1',
    CONTACT_RETENTION_DAYS: '90',
    ACCOUNT_RETENTION_DAYS: '730',
    SMTP_URL: 'smtp://127.0.0.1:1',
    STORAGE_PUBLIC_URL: 'https://pictures.example.org/school',
  };
  const other = await startTestApp({ databaseUrl: app.databaseUrl, settings });
  onTestFinished(other.stop);
  expect(await read(other)).toMatchObject({
    default_locale: 'zh',
    max_timer_hours: 8,
    require_otp: 'admin',
    mail: true,
    retention_days: { audit_log: 365, addresses: 1, contact_requests: 90, accounts: 730 },
    image_origins: ['https://pictures.example.org'],
  });
});

test('supports conditional requests', async () => {
  const first = await app.anonymous.get('/api/meta').expect(200);
  await app.anonymous.get('/api/meta').set('If-None-Match', String(first.headers['etag'])).expect(304);
});

test('reports the limits that are enforced', async () => {
  const { limits } = await read();
  expect(limits.createProject).toMatchObject({
    name: { min_length: 2, max_length: 50 },
    target_hours: { minimum: 0, maximum: 100_000 },
  });
  expect(limits.updateMe).toMatchObject({
    display_name: { min_length: 1, max_length: 50 },
    day_start_hour: { minimum: 0, maximum: 6 },
    daily_goal_minutes: { minimum: 1, maximum: 1440 },
    weekly_goal_minutes: { minimum: 1, maximum: 10_080 },
  });
  expect(limits.submitContactRequest.message).toEqual({ min_length: 1, max_length: 1000 });
  expect(limits.createUser.password).toEqual({ min_length: 8, max_length: 128 });

  const ann = await app.createUser();
  const { max_length: most } = limits.createProject.name;
  await app
    .as(ann)
    .post('/api/projects', { name: '学'.repeat(most) })
    .expect(201);
  await app
    .as(ann)
    .post('/api/projects', { name: '学'.repeat(most + 1) })
    .expect(400);
});

test('lists limits by operation id, without meaningless ones', async () => {
  const { limits } = await read();
  const ids = app.container.operations.map(({ id }) => id);
  for (const [id, fields] of Object.entries<Record<string, Record<string, number>>>(limits)) {
    expect(ids).toContain(id);
    for (const limit of Object.values(fields).flatMap((field) => Object.values(field))) {
      expect(Math.abs(limit), id).toBeLessThan(Number.MAX_SAFE_INTEGER);
    }
  }
});

/** The sRGB value of an oklch() of CSS. */
function hexOf([lightness = 0, chroma = 0, hue = 0]: number[]): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const long = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  const encoded = linear.map((value) => {
    const inside = Math.min(1, Math.max(0, value));
    return inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055;
  });
  return `#${encoded
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

test('the palette is that of the web application', async () => {
  const css = await readFile('web/src/ui/hues.css', 'utf8');
  const shown = [...css.matchAll(/data-hue="(\d+)"\] \{\s*--hue: var\(--(\w+)\)/g)].map(([, color, name]) => {
    const [, light = '', dark = ''] =
      new RegExp(`--${name}: light-dark\\(oklch\\((.+?)\\), oklch\\((.+?)\\)\\)`).exec(css) ?? [];
    const hex = (value: string) => hexOf(value.split(/[% ]+/).map(Number));
    return { color: Number(color), name, light: hex(light), dark: hex(dark) };
  });
  expect(shown).toHaveLength(12);
  expect((await read()).colors).toEqual(shown);
});
