import { expect, test } from 'vitest';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startReceiver, verify } from '../support/servers/webhook-receiver.ts';
import { ask, type ServiceProcess, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const events = Number(process.env['WEBHOOK_EVENTS'] ?? 3000);
const objects = 100;
const kills = 4;
/** Changes of each object in a burst. There is one burst per kill, and one after the last. */
const rounds = Math.ceil(events / objects / (kills + 1));
const burst = rounds * objects;
const total = burst * (kills + 1);
/** One process makes at most three attempts at once, so four include both processes. */
const attemptsOfBoth = 4;
const password = 'a password for kill -9';

test(`kill -9 of one of two processes while ${total} events are delivered: none is lost, each object's are in order`, async () => {
  const postgres = await startPostgres();
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const settings = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'a secret that both processes of this test have 0123456789',
    WEBHOOK_TARGETS: 'any',
    RATE_LIMIT_PER_MINUTE: '0',
    ADMIN_PASSWORD: password,
  };
  const start = (index: number) => startServiceProcess(folders[index] ?? '', settings);
  const services: ServiceProcess[] = [await start(0), await start(1)];
  const origin = () => services[1]?.origin ?? '';
  const token = await signIn(origin(), 'admin', password);

  // In the middle of a burst, responses are held until both processes wait for one. In its second half some attempts fail.
  const held: (() => void)[] = [];
  let [holdAt, isHolding] = [0, false];
  const receiver = await startReceiver(async (_, number) => {
    if (number === holdAt) isHolding = true;
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
    return number > holdAt && number % 500 === 0 ? 503 : 204;
  });
  const release = () => {
    isHolding = false;
    for (const respond of held.splice(0)) respond();
  };
  const created = await ask(origin(), 'POST', '/api/admin/webhooks', {
    token,
    body: { url: receiver.url, events: ['project.updated'] },
  });
  expect(created.status).toBe(201);
  await postgres.query(
    `INSERT INTO projects (name, user_id) SELECT 'Object ' || n, (SELECT min(id) FROM users) FROM generate_series(1, ${objects}) n`,
  );
  const ids = await postgres.query<{ id: string }>(`SELECT id FROM projects WHERE name LIKE 'Object %'`);
  let round = 0;
  const writeBurst = async () => {
    for (let n = 0; n < rounds; n += 1) {
      round += 1;
      const body = { description: String(round) };
      const responses = await Promise.all(
        ids.map(({ id }) => ask(origin(), 'PUT', `/api/projects/${id}`, { token, body })),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    }
  };
  // Failed deliveries would be retried in half a minute, and a killed process's leases would end in a minute.
  const makeDue = async () => {
    await postgres.query(`UPDATE background_jobs SET next_at = 'epoch' WHERE claimed_at IS NULL AND next_at > now()`);
    await postgres.query('UPDATE webhooks SET paused_until = NULL, failures = 0 WHERE failures > 0');
  };

  for (let kill = 1; kill <= kills; kill += 1) {
    holdAt = receiver.received.length + burst / 2;
    await writeBurst();
    const countHeld = async () => {
      await makeDue();
      return held.length;
    };
    await expect.poll(countHeld, { timeout: 120_000, interval: 50 }).toBeGreaterThanOrEqual(attemptsOfBoth);
    services[0]?.kill('SIGKILL');
    await services[0]?.ended;
    release();
    await postgres.query(
      `UPDATE background_jobs SET next_at = now() + interval '1 second' WHERE next_at > now() + interval '50 seconds' AND claimed_at IS NOT NULL`,
    );
    services[0] = await start(0);
  }
  await writeBurst();
  const countLeft = async () => {
    await makeDue();
    return (await postgres.query(`SELECT FROM background_jobs WHERE kind = 'webhook_delivery'`)).length;
  };
  await expect.poll(countLeft, { timeout: 400_000, interval: 200 }).toBe(0);

  const secret = String(created.body.data?.['secret']);
  for (const delivery of receiver.received.slice(0, 20)) verify(delivery, secret);
  const stored = await postgres.query<{ id: string; state: string }>(
    `SELECT 'msg_' || message_id AS id, state FROM webhook_deliveries ORDER BY id`,
  );
  expect(stored).toHaveLength(total);
  const arrived = new Set(receiver.received.map(({ id }) => id));
  expect(stored.filter(({ id, state }) => !arrived.has(id) || state !== 'delivered')).toEqual([]);
  expect(arrived.size).toBe(total);
  // Deliveries that a killed process sent without receiving the response, and those that failed.
  expect(receiver.received.length - total).toBeGreaterThanOrEqual(kills);
  process.stdout.write(`${receiver.received.length - total} repeated deliveries of ${total}\n`);

  // Apart from repeated deliveries, each object's changes arrive in order.
  const seen = new Set<string>();
  const last = new Map<unknown, number>();
  for (const { id, event } of receiver.received) {
    if (seen.has(id)) continue;
    seen.add(id);
    const round = Number(event.data['description']);
    expect(round).toBe((last.get(event.data['id']) ?? 0) + 1);
    last.set(event.data['id'], round);
  }
}, 600_000);
