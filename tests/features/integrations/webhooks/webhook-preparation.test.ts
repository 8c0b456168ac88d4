import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../../src/boot/app.ts';
import { createWebhookRoutes } from '../../../../src/features/integrations/webhooks/webhook-routes.ts';
import {
  createWebhookSecrets,
  createWebhookService,
} from '../../../../src/features/integrations/webhooks/webhook-service.ts';
import { createSender } from '../../../../src/features/operations/outgoing-requests/sender.ts';
import { startTestApp, type TestApp, type TestUser, testSecret } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let server: Server;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

test.each([
  ['POST', ''],
  ['PUT', '/1'],
])(
  '%s waits for a slow name server without a database connection, also with an Idempotency-Key',
  async (method, path) => {
    const { store, clock } = app.container;
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((arrived) => {
      const resolve = async () => {
        arrived();
        await new Promise<void>((release) => {
          answer = release;
        });
        return [{ address: '93.184.216.34', family: 4 }];
      };
      const sender = createSender({ anyTarget: false, resolve });
      const webhooks = createWebhookService({ store, sender, secrets: createWebhookSecrets([testSecret]), clock });
      const own = createApp({ ...app.container, operations: createWebhookRoutes({ webhooks }) });
      server = own.listen(0, '127.0.0.1');
    });
    await once(server, 'listening');

    const response = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/admin/webhooks${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${admin.token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
      body: JSON.stringify({ url: 'https://slow.example/', events: ['project.created'] }),
    });
    await asked;
    expect(app.database.pool().used).toBe(0);
    answer?.();
    expect((await response).status).toBe(method === 'POST' ? 201 : 200);
    server.close();
  },
);
