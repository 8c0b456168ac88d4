import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryTypes } from '../../../../src/features/integrations/webhooks/webhook-schemas.ts';
import { projectRoot } from '../../../../src/project-root.ts';
import { runJob } from '../../../support/contact.ts';
import { createProject } from '../../../support/records.ts';
import { runProgram, temporaryFolder } from '../../../support/service-process.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { WEBHOOK_TARGETS: 'any' } });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const page = await readFile(path.join(projectRoot, 'docs/webhooks.md'), 'utf8');

test('the receiver in docs/webhooks.md verifies signatures, and processes each event once', async () => {
  const program = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'receiver.mjs'), program);
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));

  const body = { url: 'http://127.0.0.1:9/', events: ['project.created'], active: false };
  const { id, secret } = (await app.as(admin).post('/api/admin/webhooks', body).expect(201)).body.data;
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' };
  const receiver = runProgram(process.execPath, ['receiver.mjs'], { cwd: folder, env });
  const port = await receiver.seen(/listening (\d+)/);
  const url = `http://127.0.0.1:${port}/`;
  await app.as(admin).put(`/api/admin/webhooks/${id}`, { url, active: true }).expect(200);

  const project = await createProject(app, admin, 'Linear algebra');
  const deliveries = async () =>
    (await app.as(admin).get(`/api/admin/webhooks/${id}/deliveries`).expect(200)).body.data.deliveries;
  const deliver = () =>
    expect
      .poll(async () => {
        await runJob(app, 'deliver webhooks');
        return (await deliveries())[0].state;
      })
      .toBe('delivered');
  await deliver();
  const [first] = await deliveries();
  await receiver.seen(new RegExp(`${first.message_id} project.created {"id":${project},"name":"Linear algebra"`));
  await app.as(admin).post(`/api/admin/webhooks/${id}/deliveries/${first.id}/replay`).expect(200);
  await deliver();
  expect((await deliveries())[0]).toMatchObject({ attempts: 2, response_status: 204 });
  expect(receiver.written.stdout.split(first.message_id)).toHaveLength(2);

  const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_forged' } });
  expect([forged.status, await forged.text()]).toEqual([400, 'wrong signature']);
});

test('docs/webhooks.md lists every event', () => {
  const rows = [...page.matchAll(/^\| (`[a-z_.]+`(?:, `[a-z_.]+`)*) \|/gm)].flatMap(([, types = '']) =>
    types.replaceAll('`', '').split(', '),
  );
  expect(rows.toSorted()).toEqual([...deliveryTypes].toSorted());
});
