import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let user: TestUser;
let projectId: number;

beforeAll(async () => {
  app = await startTestApp();
  user = await app.createUser();
  projectId = await createProject(app, user, '=Algebra, "II"');
});
afterAll(() => app.stop());

const download = async (reader: TestUser, query: string) => {
  const response = await fetch(`${app.origin}/api/sessions/export${query}`, {
    headers: { Authorization: `Bearer ${reader.token}` },
  });
  return { headers: response.headers, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

test('CSV: UTF-8 with BOM, RFC 4180, with formula guard; without running timers', async () => {
  const started_at = '2026-02-01T08:00:00Z';
  const note = '+ "好",\nnext';
  await app
    .as(user)
    .post(`/api/projects/${projectId}/sessions`, { started_at, duration_seconds: 90, note })
    .expect(201);
  await app.as(user).post('/api/timer/start', { project_id: projectId }).expect(201);
  const { headers, bytes } = await download(user, '');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="study-records.csv"');
  expect(bytes.toString('utf8')).toBe(
    `\uFEFF"project_id","project_name","user_id","started_at","ended_at","duration_seconds","note","tags","source","time_zone","auto_stopped"\r\n` +
      `${projectId},"'=Algebra, ""II""",${user.id},"2026-02-01T08:00:00.000Z","2026-02-01T08:01:30.000Z",90,"'+ ""好"",\nnext","","manual","UTC","false"\r\n`,
  );
});

test('a spreadsheet: local times and hours in the reader’s language, and the import reads it', async () => {
  const reader = await app.createUser({ timezone: 'Asia/Shanghai' });
  const id = await createProject(app, reader, '=Physics');
  const body = { started_at: '2026-02-01T15:30:00Z', duration_seconds: 5400, note: '＋1; 2' };
  await app.as(reader).post(`/api/projects/${id}/sessions`, body).expect(201);
  const rows = async (query: string, language = 'en') =>
    (await app.as(reader).get(`/api/sessions/export?layout=spreadsheet${query}`).set('Accept-Language', language)).text;
  const english = await rows('');
  expect(english).toBe(
    `\uFEFF"Date","Start","End","Hours","Project","Note","Tags","User"\r\n` +
      `"2026-02-01","23:30:00","01:00:00",1.5,"'=Physics","'＋1; 2","","${reader.username}"\r\n`,
  );
  const chinese = await rows('&separator=semicolon', 'zh');
  expect(chinese.split('\r\n')[0]).toBe('\uFEFF"日期";"开始";"结束";"小时";"项目";"备注";"标签";"用户"');
  expect(chinese).toContain('"23:30:00";"01:00:00";"1,5";');
  expect(await rows('&separator=tab')).toContain('"Date"\t"Start"');
  for (const file of [english, chinese, await rows('&separator=tab')]) {
    const request = app.as(reader).post('/api/sessions/import').field('dry_run', 'true');
    const { data } = (await request.attach('file', Buffer.from(file), 'a.csv').expect(200)).body;
    expect(data).toMatchObject({ rows: 1, duplicates: 1, errors: [] });
  }
  await app.as(reader).get('/api/sessions/export?layout=spreadsheet&separator=x').expect(400);
});

test('JSON: the response of the list without pagination, in the reader’s language', async () => {
  const list = (await app.as(user).get('/api/sessions?to=2026-03-01T00:00:00Z')).body.data.sessions;
  const response = await app.as(user).get('/api/sessions/export?format=json').set('Accept-Language', 'zh').expect(200);
  expect(response.body).toEqual({ success: true, message: '成功', data: { sessions: list } });
  expect(response.headers['content-disposition']).toBe('attachment; filename="study-records.json"');
});

test('has the same visibility and validation as the list', async () => {
  const outsider = await app.createUser();
  const admin = await app.createUser({ role: 'admin' });
  const read = async (reader: TestUser, query: string) =>
    (await app.as(reader).get(`/api/sessions/export?format=json${query}`).expect(200)).body.data.sessions.length;
  expect(await read(outsider, '')).toBe(0);
  expect(await read(admin, `&user_id=${user.id}`)).toBe(1);
  expect(await read(user, '&from=2026-02-02T00:00:00Z')).toBe(0);
  expect(await read(user, `&project_id=${projectId + 1}`)).toBe(0);
  await app.as(user).get('/api/sessions/export?format=xml').expect(400);
  await app.as(user).get('/api/sessions/export?from=x').expect(400);
  await app.anonymous.get('/api/sessions/export').expect(401);
  await app.as(user).get('/api/sessions/import').expect(405);
});
