import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageFiles, traditionalTexts } from '../../scripts/traditional-chinese.ts';
import { projectRoot } from '../../src/project-root.ts';
import { runJob } from '../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { texts } from '../support/texts.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const readFile = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8'));

describe.each([['src'], ['web/src']] as const)('the traditional texts of %s', (source) => {
  const stored = readFile(languageFiles[source]);

  test('are those of the current simplified ones: npm run languages', () => {
    expect(stored).toEqual(traditionalTexts(source));
  });

  test('have their placeholders, and none of what the converter gets wrong', () => {
    expect(Object.keys(stored).length).toBeGreaterThan(400);
    for (const [simplified, traditional] of Object.entries(stored)) {
      expect(placeholders(traditional), simplified).toEqual(placeholders(simplified));
      expect(traditional).not.toMatch(/天后|賬|郵箱|令牌|許可權|[“”账号记录设为这个开时间请输]/u);
    }
  });
});

test('every text of the service has one', () => {
  const stored = readFile(languageFiles.src);
  expect(texts.filter(([, { zh }]) => stored[zh] === undefined).map(([key]) => key)).toEqual([]);
});

describe('the service', () => {
  let smtp: TestSmtpServer;
  let app: TestApp;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
  });
  afterAll(async () => {
    await app.stop();
    await smtp.stop();
  });

  test('responds in it to browsers of Taiwan and Hong Kong', async () => {
    for (const language of ['zh-TW,zh;q=0.9', 'zh-HK', 'zh-Hant-TW']) {
      const { body } = await app.anonymous.get('/api/auth/me').set('Accept-Language', language).expect(401);
      expect(body.message).toBe('請先登入，並以 Authorization: Bearer TOKEN 的形式攜帶權杖。');
    }
    const speech = await app.anonymous
      .get('/api/contact/captcha')
      .set({ Accept: 'audio/wav', 'Accept-Language': 'zh-TW' });
    expect(speech.headers['content-type']).toBe('audio/wav');
  });

  test('mails in it to users who chose it', async () => {
    const user = await app.createUser();
    await app.as(user).put('/api/auth/me', { locale: 'zh-Hant' }).expect(200);
    const admin = await app.createUser({ role: 'admin' });
    await app
      .as(admin)
      .post('/api/admin/messages', { user_ids: [user.id], subject: 'Piano', text: 'Tomorrow at five.' })
      .expect(200);
    await runJob(app, 'send mails to account holders');
    expect(smtp.mails[0]?.text).toContain(`${user.username}，您好：`);
    expect(smtp.mails[0]?.text).toContain('傳送給您，回覆將直接傳送給對方。');
  });
});
