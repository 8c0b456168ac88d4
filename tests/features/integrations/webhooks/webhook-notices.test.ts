import { expect, test } from 'vitest';
import { createNotify } from '../../../../src/features/integrations/webhooks/deliveries/delivery-kind.ts';
import { countStatements } from '../../../support/counted-statements.ts';
import { startSmtpServer } from '../../../support/servers/smtp-server.ts';
import { startTestApp } from '../../../support/test-app.ts';

test('any number of administrators are mailed by as many statements as one, under the lock of the webhook', async () => {
  const smtp = await startSmtpServer();
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'studytrack@example.org' };
  const app = await startTestApp({ settings });
  const notify = createNotify({ mail: app.container.mail, locale: 'en', ownUrl: 'https://study.example.org' });
  const send = () =>
    app.container.store.asService(async (tx) => {
      const { counted, statements } = countStatements(tx);
      await notify(counted, 'mail_webhook_off', 'https://example.org/hook');
      return statements();
    });
  try {
    await app.createUser({ role: 'admin' });
    const ofOne = await send();
    for (let n = 0; n < 5; n += 1) await app.createUser({ role: 'admin' });
    const ofSix = await send();
    const queued = await app.query(`SELECT 1 FROM background_jobs WHERE kind = 'mail'`);
    expect({ ofOne, ofSix, queued: queued.length }).toEqual({ ofOne: 2, ofSix: 2, queued: 7 });
  } finally {
    await app.stop();
    await smtp.stop();
  }
});
