import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { expectInvariants } from '../support/invariants.ts';
import { loadSettings } from '../support/load.ts';
import { ask, signIn } from '../support/service-process.ts';
import { startCluster } from './cluster.ts';
import { clusterTest } from './programs.ts';

type Result = { status: number; body: { data?: Record<string, unknown> } };

/** A request from one of the machine's loopback addresses. */
function from(address: string, url: string, body?: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(url, { localAddress: address, agent: false, headers, method: body ? 'POST' : 'GET' });
    sent.on('error', reject);
    sent.on('response', (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body: body as Result['body'] }), // every response is one
        reject,
      );
    });
    sent.end(body && JSON.stringify(body));
  });
}

/** The number of responses by status. */
async function countByStatus(responses: readonly Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Per user and address; no other step of the test reaches it. */
const perMinute = 60;

clusterTest('limits and idempotency keys are exact across all processes', async () => {
  const { origin, machines, query } = await startCluster({ RATE_LIMIT_PER_MINUTE: String(perMinute) });
  const token = await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD);
  const times = <T>(number: number, work: (at: number) => T) => Array.from({ length: number }, (_, at) => work(at));

  /** All captchas are fetched first, so that the submissions are concurrent. */
  const submitAll = async (senders: readonly { address: string; email: string }[]) => {
    const captchas = await Promise.all(senders.map(({ address }) => from(address, `${origin}/api/contact/captcha`)));
    const submissions = senders.map(({ address, email }, at) => {
      const { captcha_id, answer: captcha } = captchas[at]?.body.data ?? {};
      const fields = { name: 'Lin Wei', subject: 'technical_support', message: 'My chart is empty.', email };
      return from(address, `${origin}/api/contact/submit`, { ...fields, captcha_id, captcha });
    });
    return countByStatus(submissions);
  };
  const ofOneAddress = times(20, (at) => ({ address: '127.0.0.2', email: `sender${at}@example.org` }));
  expect(await submitAll(ofOneAddress)).toEqual({ 201: 5, 429: 15 });
  const ofOneEmail = times(20, (at) => ({ address: `127.0.1.${at}`, email: 'one@example.org' }));
  expect(await submitAll(ofOneEmail)).toEqual({ 201: 1, 429: 19 });

  const lin = { username: 'lin', email: 'lin@example.org' };
  const student = await ask(origin, 'POST', '/api/admin/users', { token, body: lin });
  const guess = { username: 'lin', password: 'a wrong password' };
  const guesses = times(24, (at) => from(`127.0.2.${at}`, `${origin}/api/auth/login`, guess));
  expect(await countByStatus(guesses)).toEqual({ 401: 10, 429: 14 });

  const body = { name: 'Once', assigned_user_ids: [Number(student.body.data?.['id'])] };
  const creations = times(12, () => ask(origin, 'POST', '/api/projects', { token, key: 'once', body }));
  expect(await countByStatus(creations)).toEqual({ 201: 12 });
  expect(await query('SELECT name FROM projects')).toEqual([{ name: 'Once' }]);

  const password = 'a good password';
  const wang = { username: 'wang', email: 'wang@example.org', password };
  await ask(origin, 'POST', '/api/admin/users', { token, body: wang });
  const own = await signIn(origin, 'wang', password);
  const reads = machines.flatMap((machine) =>
    times(40, () => ask(machine.origin, 'GET', '/api/timer', { token: own })),
  );
  expect(await countByStatus(reads)).toEqual({ 200: perMinute, 429: 60 });

  for (const { written } of machines) expect(written()).toContain('"path":"/api/contact/submit"'); // each process served some
  await expectInvariants({ query });
});
