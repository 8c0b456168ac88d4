import { expect, onTestFinished, test } from 'vitest';
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts';
import { startTestApp } from '../../../support/test-app.ts';

test('without its database, a captcha in every format answers 503 with Retry-After, and is there again afterwards', async () => {
  const { databaseUrl, stop } = await startTestApp();
  onTestFinished(stop);
  const proxy = await startTcpProxy(databaseUrl);
  const app = await startTestApp({ databaseUrl: proxy.url });
  onTestFinished(app.stop);
  const get = (accept: string) => app.anonymous.get('/api/contact/captcha').set('Accept', accept);
  await get('application/json').expect(200);
  await proxy.stop();
  for (const accept of ['application/json', 'image/*', 'audio/wav']) {
    const { status, headers, body } = await get(accept);
    expect({ accept, status, body }).toMatchObject({
      ...{ accept, status: 503 },
      body: { success: false, code: 'SERVICE_UNAVAILABLE', message: expect.any(String) },
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const again = await startTcpProxy(databaseUrl, proxy.port);
  onTestFinished(again.stop);
  await get('application/json').expect(200);
});
