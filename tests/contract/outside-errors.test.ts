import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createIdentityProvider } from '../../src/features/accounts/single-sign-on/identity-provider.ts';
import { createSmtpTransport } from '../../src/features/operations/mail/mail-outbox.ts';
import { reasonOf } from '../../src/lib/log/logged-error.ts';
import { createLogger, type Logger } from '../../src/lib/log/logger.ts';
import { openStorage } from '../../src/lib/storage/open-storage.ts';
import { AppError } from '../../src/texts/errors.ts';

const secret = 'Tr0ub4dor-and-3-horses';
/** What another program may say about a failure, with a secret of ours or its own. */
const hostileTexts = {
  'a password': `login of school failed, password=${secret}`,
  'a password in words': `the password ${secret} is wrong`,
  'an address with credentials': `cannot reach https://school:${secret}@inner.example/path?key=${secret}`,
  'a token': `invalid token Bearer ${Buffer.from(secret.repeat(4)).toString('base64url')}`,
  'control characters': `no\u001b[2J\u0007 ${secret}\u202e entry`,
  'a long text': `no entry ${`${secret} `.repeat(2_000)}`,
};
const parts = [secret, secret.slice(0, 8), secret.slice(-8), Buffer.from(secret).toString('base64url').slice(0, 12)];
const cases = Object.entries(hostileTexts);

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
const serve = (respond: RequestListener) => listen(createHttpServer({ keepAlive: false }, respond));

/** A log of production, and what it has apart from the frames of errors. */
function createLog() {
  const lines: string[] = [];
  const withoutFrames = (key: string, value: unknown) => (key === 'stack' ? undefined : value);
  const write = (line: string) => void lines.push(JSON.stringify(JSON.parse(line), withoutFrames));
  return { lines, logger: createLogger('trace', { destination: { write } }) };
}

/** Expects that texts are short, name the cause and have no part of a secret and nothing that a terminal obeys. */
function expectSafe(texts: readonly string[], cause: RegExp): void {
  expect(texts.join(' ')).toMatch(cause);
  for (const text of texts) {
    expect(text.length, text.slice(0, 1_000)).toBeLessThan(800);
    for (const part of parts) expect(text).not.toContain(part);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|\\u00|\\n/u);
  }
}

/** What is logged and shown about an error. */
async function reported(work: () => Promise<unknown>): Promise<string[]> {
  const { lines, logger } = createLog();
  const error = await work().then(
    () => expect.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  logger.error({ err: error, reason: reasonOf(error) }, 'failed');
  expect(lines).toHaveLength(1);
  return [...lines, reasonOf(error)];
}

describe.each(cases)('an error with %s', (_name, text) => {
  test.each([
    ['greeting', '421', /421/],
    ['AUTH', '535', /EAUTH.*535|535.*EAUTH/],
    ['MAIL', '550', /EENVELOPE.*550|550.*EENVELOPE/],
    ['RCPT', '550', /EENVELOPE.*550|550.*EENVELOPE/],
    ['DATA', '554', /554/],
  ])('from a mail server at %s', async (stage, status, cause) => {
    const answer = text.replaceAll(/[\r\n]/g, ' ');
    const port = await listen(
      createServer((socket) => {
        const answers: Record<string, string> = { EHLO: '250-mail\r\n250 AUTH PLAIN', DATA: '354 go', AUTH: '235 yes' };
        const reply = (name: string) =>
          socket.write(`${name === stage ? `${status} 5.7.8 ${answer}` : (answers[name] ?? '250 yes')}\r\n`);
        socket.on('error', () => undefined);
        socket.write(stage === 'greeting' ? `421 4.3.2 ${answer}\r\n` : '220 mail\r\n');
        createInterface(socket).on('line', (line) => reply(line.slice(0, 4)));
      }),
    );
    const transport = createSmtpTransport(`smtp://school:${encodeURIComponent(secret)}@127.0.0.1:${port}`);
    const mail = { from: 'a@example.org', to: 'b@example.org', text: 'a link' };
    expectSafe(await reported(() => transport.sendMail(mail)), cause);
  });

  test.each([
    [403, 'code', /403/],
    [403, 'message', /AccessDenied/],
    [500, 'message', /500/],
    [500, 'no XML', /500/],
  ])('%i from an object store, in its %s', async (status, place, cause) => {
    const escaped = text.replaceAll(/[\p{Cc}<&]/gu, (character) => `&#${character.codePointAt(0)};`);
    const [code, message] = place === 'code' ? [escaped, 'no'] : ['AccessDenied', escaped];
    const body = place === 'no XML' ? text : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    const port = await serve((_request, response) => response.writeHead(status, { server: 'store' }).end(body));
    const storageUrl = `s3+http://school:${encodeURIComponent(secret)}@127.0.0.1:${port}/covers`;
    const storage = openStorage({ uploadsDir: '', storageUrl }, 'projects');
    expectSafe(await reported(() => storage.open('0123456789abcdef.webp')), cause);
  });

  test.each(['no JSON', 'issuer', 'description', 'status', 'query'] as const)(
    'from a provider, in its %s',
    async (place) => {
      const { lines, logger } = createLog();
      const port = await serve(({ url, headers: { host } }, response) => {
        const send = (status: number, body: string) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        if (place === 'no JSON') return send(200, text);
        if (place === 'status') return send(500, JSON.stringify({ error: text }));
        if (url === '/token') return send(400, JSON.stringify({ error: 'invalid_client', error_description: text }));
        const own = `http://${host}`;
        const endpoints = { authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` };
        return send(
          200,
          JSON.stringify({
            issuer: place === 'issuer' ? `${own}/?${encodeURIComponent(text)}${text}` : own,
            ...endpoints,
          }),
        );
      });
      const provider = createProvider(`http://127.0.0.1:${port}`, logger);
      const query = new URLSearchParams({ state: 'state', ...(place === 'query' ? { error: text } : { code: '1' }) });
      const secrets = { state: 'state', nonce: 'nonce', code_verifier: 'verifier' };
      await expect(provider.identify(query.toString(), secrets)).rejects.toThrow(AppError);
      expect(lines).toHaveLength(1);
      expectSafe(lines, /OAUTH_|error in the response body|authorization response/);
    },
  );
});

function createProvider(issuer: string, logger: Logger) {
  const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'studytrack', OIDC_CLIENT_SECRET: secret };
  const { singleSignOn: settings } = readConfig({ ...env, PUBLIC_URL: 'http://study.test' });
  if (settings === undefined) throw new Error('the settings name a provider');
  return createIdentityProvider({ settings, redirectUri: 'http://study.test/sign-in/callback', logger });
}

test.each(['open', 'write'] as const)('an error of a file with a secret in its path, at %s', async (way) => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, secret);
  await writeFile(file, '');
  const storage = openStorage({ uploadsDir: file }, 'projects');
  const work = { open: () => storage.put('0123456789abcdef.webp', file, 'image/webp'), write: storage.assertWritable };
  expectSafe(await reported(work[way]), /ENOTDIR|EEXIST/);
});
