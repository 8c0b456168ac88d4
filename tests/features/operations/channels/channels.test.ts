import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contactSettings, finishJob, runJob, submit } from '../../../support/contact.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { ...contactSettings, WEBHOOK_TARGETS: 'any' }, clock });
});
afterAll(() => app.stop());

type Got = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = { status?: number; body: string };

/** A receiver that answers as the real ones do. */
async function receive(answer: (got: Got) => Answer) {
  const got: Got[] = [];
  const behaviour = { answer };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString('utf8') };
    got.push(one);
    const { status = 200, body } = behaviour.answer(one);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, behaviour };
}

const ok = { feishu: '{"code":0,"msg":"success","data":{}}', robot: '{"errcode":0,"errmsg":"ok"}' };
const save = (user: TestUser, body: object) => app.as(user).put('/api/me/channel', body);
const send = async (user: TestUser, body: object = {}) =>
  (await app.as(user).post('/api/me/channel/test', body).expect(200)).body.data;
const deliver = () => finishJob(app, 'send messages to channels');
/** Access tokens have expired by then. */
const stateOf = async (user: TestUser) =>
  (await app.query('SELECT failures, error_code, last_sent_at FROM channels WHERE user_id = $1', [user.id]))[0];

describe('a test message', () => {
  test('Feishu: signed with the secret; an error in an answer with status 200 is a failure', async () => {
    const user = await app.createUser();
    const robot = await receive(({ body }) => {
      const { timestamp, sign } = JSON.parse(body);
      const expected = createHmac('sha256', `${timestamp}\nhush`).digest('base64');
      return {
        body:
          sign === expected ? ok.feishu : '{"code":19021,"msg":"sign match fail or timestamp is not within one hour"}',
      };
    });
    const url = `${robot.origin}/open-apis/bot/v2/hook/4f1c2a93`;
    expect(await send(user, { kind: 'feishu', url, secret: 'hush' })).toMatchObject({
      ...{ arrived: true, status: 200, answer: ok.feishu, error_code: null },
    });
    expect(JSON.parse(robot.got[0]?.body ?? '')).toMatchObject({ msg_type: 'text', content: { text: /Test message/ } });
    expect(await send(user, { kind: 'feishu', url, secret: 'wrong' })).toMatchObject({
      ...{ arrived: false, status: 200, error_code: 'ANSWER_19021' },
    });
    expect((await app.as(user).get('/api/me/channel').expect(200)).body.data).toBeNull(); // nothing was stored
  });

  test('DingTalk: the signature is in the address, and the keyword in the text', async () => {
    const user = await app.createUser();
    const robot = await receive(({ path, body }) => {
      const query = new URL(path, 'http://robot').searchParams;
      const signed = createHmac('sha256', 'SEC1')
        .update(`${query.get('timestamp')}\nSEC1`)
        .digest('base64');
      if (query.get('access_token') !== 'abc' || query.get('sign') !== signed)
        return { body: '{"errcode":310000,"errmsg":"sign not match"}' };
      return { body: body.includes('学习') ? ok.robot : '{"errcode":310000,"errmsg":"keywords not in content"}' };
    });
    const url = `${robot.origin}/robot/send?access_token=abc`;
    const channel = { kind: 'dingtalk', url, secret: 'SEC1' };
    expect(await send(user, { ...channel, keyword: '学习' })).toMatchObject({ arrived: true });
    expect(await send(user, channel)).toMatchObject({ arrived: false, error_code: 'ANSWER_310000' });
  });

  test('WeCom, ntfy and any other address', async () => {
    const user = await app.createUser();
    const wecom = await receive(() => ({ body: '{"errcode":93000,"errmsg":"invalid webhook url"}' }));
    expect(await send(user, { kind: 'wecom', url: wecom.origin })).toMatchObject({ error_code: 'ANSWER_93000' });
    wecom.behaviour.answer = () => ({ body: ok.robot });
    expect(await send(user, { kind: 'wecom', url: wecom.origin })).toMatchObject({ arrived: true });
    wecom.behaviour.answer = () => ({ body: '<html>maintenance</html>' });
    expect(await send(user, { kind: 'wecom', url: wecom.origin })).toMatchObject({ error_code: 'ANSWER_UNKNOWN' });

    const ntfy = await receive(({ headers }) =>
      headers.authorization === 'Bearer tk_1' ? { body: '{"id":"x"}' } : { status: 403, body: '{"code":40301}' },
    );
    expect(await send(user, { kind: 'ntfy', url: `${ntfy.origin}/mei`, secret: 'tk_1' })).toMatchObject({
      arrived: true,
    });
    expect(Buffer.from(String(ntfy.got[0]?.headers['title']).slice(10, -2), 'base64').toString()).toBe('Test message');
    expect(await send(user, { kind: 'ntfy', url: ntfy.origin })).toMatchObject({ status: 403, error_code: 'HTTP_403' });

    // Its own codes are its own matter.
    const other = await receive(() => ({ body: '{"code":200,"message":"success"}' }));
    const secret = 'a secret of my own';
    expect(await send(user, { kind: 'url', url: other.origin, secret })).toMatchObject({ arrived: true });
    const [{ body, headers } = { body: '', headers: {} }] = other.got;
    const signed = new Webhook(Buffer.from(secret).toString('base64'));
    expect(() => signed.verify(body, headers as Record<string, string>)).not.toThrow();
    expect(JSON.parse(body)).toMatchObject({ title: 'Test message' });
  });

  test.each([
    ['feishu', '{"code":9499,"msg":"Bad Request","data":{}}', 'ANSWER_9499'],
    ['feishu', '{"StatusCode":19024,"StatusMessage":"Key Words Not Found"}', 'ANSWER_19024'],
    ['feishu', '{"Extra":null,"StatusCode":0,"StatusMessage":"success"}', null],
    ['dingtalk', '{"errmsg":"token is not exist","errcode":300001}', 'ANSWER_300001'],
    ['dingtalk', '{ "errcode" : 130101, "errmsg" : "send too fast" }', 'ANSWER_130101'],
    ['wecom', '{"errcode":-1,"errmsg":"system busy"}', 'ANSWER_1'],
    ['wecom', '{"errcode":"45009","errmsg":"api freq out of limit"}', 'ANSWER_45009'],
    ['wecom', '', 'ANSWER_UNKNOWN'],
    ['ntfy', '{"code":42901,"http":429,"error":"limit reached: too many requests"}', 'ANSWER_42901'],
    ['ntfy', '<html>Sign in</html>', 'ANSWER_UNKNOWN'],
    ['ntfy', '{"id":"hwQ2YpKdmg","event":"message","topic":"mei","message":"\\"code\\":5"}', null],
    ['url', '{"errcode":310000,"code":1}', null],
  ])('%s: the answer %s with status 200 is the error %s', async (kind, body, error_code) => {
    const receiver = await receive(() => ({ body }));
    const sent = await send(await app.createUser(), { kind, url: `${receiver.origin}/mei` });
    expect(sent).toMatchObject({ arrived: error_code === null, status: 200, error_code });
  });

  test('uses what is saved for what the form leaves out; another kind needs its own address', async () => {
    const user = await app.createUser();
    const robot = await receive(() => ({ body: ok.feishu }));
    await save(user, { kind: 'feishu', url: `${robot.origin}/hook/secret-part` }).expect(200);
    expect(await send(user)).toMatchObject({ arrived: true });
    await app.as(user).post('/api/me/channel/test', { kind: 'wecom' }).expect(400);
    await app
      .as(await app.createUser())
      .post('/api/me/channel/test', {})
      .expect(400);
  });
});

test('the address and the secret are encrypted, and shown in part only', async () => {
  const user = await app.createUser();
  const url = 'https://example.org/hook/very-secret-a93f';
  const { body } = await save(user, { kind: 'url', url, secret: 'hush', weekly: true }).expect(200);
  expect(body.data).toMatchObject({
    ...{ kind: 'url', address: 'https://example.org/…a93f', has_secret: true, weekly: true, streak_hour: null },
  });
  const [row] = await app.query('SELECT * FROM channels WHERE user_id = $1', [user.id]);
  expect(JSON.stringify(row)).not.toMatch(/very-secret|hush|example/);
  await save(user, { kind: 'wecom', url: 'https://example.com/robot-1234' }).expect(200); // in place of the first
  const channels = await app.query<{ number: number }>(
    'SELECT count(*)::integer AS number FROM channels WHERE user_id = $1',
    [user.id],
  );
  expect(channels).toEqual([{ number: 1 }]);
  expect((await app.as(user).get('/api/me/channel').expect(200)).body.data).toMatchObject({
    ...{ kind: 'wecom', address: 'https://example.com/…1234', has_secret: false, weekly: true },
  });
  await app.as(user).delete('/api/me/channel').expect(200);
  await app.as(user).delete('/api/me/channel').expect(404);
});

test('addresses inside the network are refused, when saved and in a test', async () => {
  const guarded = await startTestApp({ clock });
  onTestFinished(() => guarded.stop());
  const user = await guarded.createUser();
  for (const url of ['https://127.0.0.1/hook', 'https://169.254.169.254/', 'http://example.org/hook']) {
    await guarded.as(user).put('/api/me/channel', { kind: 'url', url }).expect(400);
    await guarded.as(user).post('/api/me/channel/test', { kind: 'url', url }).expect(400);
  }
});

test('what goes to an address that is no longer allowed can be switched off', async () => {
  const guarded = await startTestApp({ clock });
  onTestFinished(() => guarded.stop());
  const user = await app.createUser();
  await save(user, { kind: 'url', url: 'http://127.0.0.1:9/hook', weekly: true }).expect(200);
  const [row] = await app.query<{ destination: string }>('SELECT destination FROM channels WHERE user_id = $1', [
    user.id,
  ]);
  const same = await guarded.createUser();
  await guarded.query(
    'INSERT INTO channels (user_id, destination, weekly, new_requests, since) VALUES ($1, $2, true, false, now())',
    [same.id, row?.destination],
  );
  const off = await guarded.as(same).put('/api/me/channel', { weekly: false }).expect(200);
  expect(off.body.data).toMatchObject({ kind: 'url', weekly: false });
  await guarded.as(same).put('/api/me/channel', { keyword: 'x' }).expect(400);
});

async function studentWithStreak(at: string) {
  clock.set(at);
  const user = await app.createUser({ timezone: 'Asia/Shanghai' });
  const project = await createProject(app, user, 'Piano');
  for (const day of ['02', '03'])
    await addSession(app, {
      ...{ project_id: project, user_id: user.id },
      ...{ started_at: `2026-02-${day}T04:00:00Z`, ended_at: `2026-02-${day}T05:00:00Z` },
    });
  return user;
}

test('a streak at risk goes to the channel at its own hour, once, without a mail server', async () => {
  const robot = await receive(() => ({ body: ok.feishu }));
  const user = await studentWithStreak('2026-02-04T09:00:00Z');
  await save(user, { kind: 'feishu', url: robot.origin, streak_hour: 19 }).expect(200);
  const at = async (moment: string) => {
    clock.set(moment);
    await runJob(app, 'send reminders');
    await deliver();
    return robot.got.length;
  };
  expect(await at('2026-02-04T10:59:00Z')).toBe(0);
  expect(await at('2026-02-04T11:00:00Z')).toBe(1);
  expect(robot.got[0]?.body).toContain('Study today to keep your streak (2)');
  expect(await at('2026-02-04T12:00:00Z')).toBe(1);
  expect(await stateOf(user)).toMatchObject({
    ...{ failures: 0, error_code: null },
  });
});

test('nothing older than the channel is sent to it', async () => {
  const robot = await receive(() => ({ body: ok.feishu }));
  const user = await studentWithStreak('2026-02-04T12:30:00Z'); // after the hour
  await save(user, { kind: 'feishu', url: robot.origin, streak_hour: 19 }).expect(200);
  await runJob(app, 'send reminders');
  await deliver();
  expect(robot.got).toHaveLength(0);
});

test('a message that fails is repeated later, in order, and the channel says why', async () => {
  const robot = await receive(() => ({ body: '{"code":19024,"msg":"Key Words Not Found"}' }));
  const user = await studentWithStreak('2026-02-04T10:55:00Z');
  await save(user, { kind: 'feishu', url: robot.origin, streak_hour: 19 }).expect(200);
  clock.set('2026-02-04T11:00:00Z');
  await runJob(app, 'send reminders');
  await deliver();
  expect(await stateOf(user)).toMatchObject({
    ...{ failures: 1, error_code: 'ANSWER_19024', last_sent_at: null },
  });
  // What is switched off leaves the rest as it is.
  await save(user, { weekly: false }).expect(200);
  expect(await stateOf(user)).toMatchObject({ failures: 1 });
  robot.behaviour.answer = () => ({ body: ok.feishu });
  clock.set('2026-02-04T11:01:00Z');
  await deliver();
  expect(await stateOf(user)).toMatchObject({ failures: 0, error_code: null });
  expect(robot.got).toHaveLength(2);
});

test('new contact requests go to the administrators who want them, while they are administrators of the whole school', async () => {
  clock.set('2026-02-04T09:00:00Z');
  const robot = await receive(() => ({ body: ok.robot }));
  const [admin, former, limited, student] = [
    await app.createUser({ role: 'admin' }),
    await app.createUser({ role: 'admin' }),
    await app.createUser({ role: 'admin' }),
    await app.createUser(),
  ];
  for (const user of [admin, former, limited, student])
    await save(user, { kind: 'wecom', url: `${robot.origin}/${user.id}`, new_requests: true }).expect(200);
  clock.set('2026-02-04T09:01:00Z');
  await submit(app);
  await app.query(`UPDATE users SET role = 'user' WHERE id = $1`, [former.id]);
  await app.as(admin).put(`/api/admin/users/${limited.id}`, { admin_scope: 'groups' }).expect(200);
  await deliver();
  expect(robot.got.map(({ path }) => path)).toEqual([`/${admin.id}`]);
  expect(robot.got[0]?.body).toContain('A new contact request');
});
