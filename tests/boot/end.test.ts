import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { ask, run, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const admin = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse battery' };

async function start(settings: NodeJS.ProcessEnv = {}) {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const folder = await temporaryFolder();
  const service = await startServiceProcess(folder, { DATABASE_URL: database.url, ...admin, ...settings });
  return { ...service, token: await signIn(service.origin, 'admin', admin.ADMIN_PASSWORD) };
}

/** A request whose body waits for `finish`. */
function slowRequest(origin: string, token: string, body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const sending = request(`${origin}/api/admin/users`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      Connection: 'keep-alive',
    },
  });
  const answered = new Promise<{ status: number; connection: string | undefined; body: string }>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (response) => {
      resolve({
        status: response.statusCode ?? 0,
        connection: response.headers.connection,
        body: await text(response),
      });
    });
  });
  sending.write(bytes.subarray(0, 10));
  return { answered, finish: () => sending.end(bytes.subarray(10)) };
}

test.each([
  'SIGTERM',
  'SIGHUP', // a closed terminal
] as const)(
  '%s: open requests finish, idle connections close, new connections are refused, exit code 0',
  async (signal) => {
    const service = await start({ SHUTDOWN_TIMEOUT: '600' }); // longer than the test may take
    const slow = slowRequest(service.origin, service.token, { username: 'lin', email: 'lin@example.org' });
    await ask(service.origin, 'GET', '/healthz'); // the first bytes above are there by now; leaves an idle connection
    const ended = service.ended.then((code) => code);

    service.kill(signal);
    service.kill(signal); // npm hands the terminal's signal on: it comes twice
    await service.seen(/"stopping"/);
    await expect.poll(() => fetch(`${service.origin}/healthz`).catch(() => 'refused')).toBe('refused');
    slow.finish();

    expect(await slow.answered).toMatchObject({ status: 201, connection: 'close' });
    expect(await ended).toBe(0);
    expect(service.written.stderr).toBe('');
  },
);

test('SIGTERM: a request arriving on an idle connection is served, and then the connection is closed', async () => {
  const service = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${service.origin}/healthz`, { agent }, (response) =>
        response.resume().once('end', () => resolve(response)),
      )
        .on('error', reject)
        .end();
    });
  await ask();
  service.kill('SIGTERM');
  await service.seen(/"stopping"/);
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
  expect(await service.ended).toBe(0);
});

test('SIGTERM: clients that neither finish a request nor read a response are disconnected within SHUTDOWN_TIMEOUT', async () => {
  const service = await start({ SHUTDOWN_TIMEOUT: '2' });
  const { port } = new URL(service.origin);
  const half = connect(Number(port), '127.0.0.1');
  half.on('error', () => undefined);
  half.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: ');
  const slow = slowRequest(service.origin, service.token, { username: 'wang', email: 'wang@example.org' });
  const cutOff = slow.answered.catch((error: unknown) => error);
  await ask(service.origin, 'GET', '/healthz');

  const asked = Date.now();
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(Date.now() - asked).toBeLessThan(30_000);
  expect(await cutOff).toBeInstanceOf(Error);
});

test.each([
  ['throw', 'uncaught exception'],
  ['reject', 'uncaught exception'],
  ['stuck', 'shutdown timed out'],
])('an end by %s closes what can be closed, says why, and has exit code 1', async (way, line) => {
  const { ended, written } = run('tests/boot/ending-child.ts', await temporaryFolder(), {}, [way]);
  expect(await ended).toBe(1);
  expect(written.stdout).toContain('closing\n');
  expect(written.stdout).toContain(`"msg":"${line}"`);
});

test('a line logged while another one is being written is not lost', async () => {
  const { ended, written } = run('tests/boot/flushing-child.ts', await temporaryFolder());
  expect(await ended).toBe(0);
  expect(written.stdout.slice(-100)).toContain('"msg":"the last line"');
});
