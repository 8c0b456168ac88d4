import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { settingsSchema } from '../../src/config/settings.ts';
import { projectRoot } from '../../src/project-root.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');
const names = Object.keys(settingsSchema.shape).sort();

test('.env.example lists exactly the existing settings, each with its default', async () => {
  const example = parseEnv(await read('.env.example'));
  expect(Object.keys(example).sort()).toEqual(names);
  expect(readConfig(example)).toEqual(readConfig({}));
  expect(example['JWT_SECRET']).toBe('');
});

test('docs/settings.md matches .env.example', async () => {
  const example = parseEnv(await read('.env.example'));
  const table = await read('docs/settings.md');
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(names);
  for (const [, name = '', value = ''] of rows) expect([name, value]).toEqual([name, example[name]]);
});

test.each([
  [{ PUBLIC_URL: 'https://study.example.org' }, 'study.example.org'],
  [{ PUBLIC_URL: 'http://127.0.0.1:3000', MAIL_FROM: 'study@school.example' }, 'school.example'],
  [{ SMTP_URL: 'smtps://study%40school.example:secret@relay.example:465' }, 'school.example'],
  [{ PUBLIC_URL: 'https://study.example.org', SMTP_URL: 'smtp://relay.example?name=own.example' }, 'own.example'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, null],
])('to mail servers the service introduces itself by a name that they accept: %o', (settings, name) => {
  const { mail, contact } = readConfig({ SMTP_URL: 'smtp://relay.example', ...settings });
  expect(new URL(mail.smtpUrl ?? '').searchParams.get('name')).toBe(name);
  expect(contact.smtpUrl).toBe(mail.smtpUrl);
});

test('an empty value is treated as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_PASSWORD: '' })).toEqual(readConfig({}));
});
