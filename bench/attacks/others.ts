import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSmtpServer } from '../../tests/support/servers/smtp-server.ts';

export type Behaviour = 'hang' | 'slow';
const slowMs = 4_000;

/**
 * A mail server, and a server that is the provider of sign-ins and the receiver of webhooks. It does not answer, or late;
 * `PUT /hang` and `PUT /slow` say which.
 */
export async function startOthers() {
  const mail = await startSmtpServer();
  let behaviour: Behaviour = 'hang';
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    request.resume();
    if (method === 'PUT') {
      behaviour = url === '/slow' ? 'slow' : 'hang';
      response.end();
    } else if (behaviour === 'slow') setTimeout(() => response.writeHead(503).end(), slowMs).unref();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    settings: {
      ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'bench@example.org', WEBHOOK_TARGETS: 'any' },
      ...{ PUBLIC_URL: 'http://127.0.0.1', OIDC_ISSUER: origin, OIDC_CLIENT_ID: 'bench', OIDC_CLIENT_SECRET: 'bench' },
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await mail.stop();
    },
  };
}
