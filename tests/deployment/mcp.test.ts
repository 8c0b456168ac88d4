import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../src/actor.ts';
import { projectRoot } from '../../src/project-root.ts';
import { createToken } from '../support/personal-tokens.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const execute = promisify(execFile);
const folder = path.join(projectRoot, 'mcp');

/** What the tests use of the package, which is installed in a folder of its own. */
type Assistant = {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; description?: string }[] }>;
  callTool(call: { name: string; arguments?: object }): Promise<{ isError?: boolean; content: { text: string }[] }>;
};
const load = (name: string) =>
  import(pathToFileURL(path.join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', name)).href);

let app: TestApp;
let student: TestUser;
let admin: TestUser;
beforeAll(async () => {
  if (!existsSync(path.join(folder, 'node_modules'))) await execute('npm', ['ci', '--prefix', folder]);
  await execute('npm', ['run', 'build'], { cwd: folder }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout); // the errors of the compiler
  });
  app = await startTestApp();
  student = await app.createUser();
  admin = await app.createUser({ role: 'admin' });
}, 300_000);
afterAll(() => app?.stop());

async function connect(user: TestUser, scopes: readonly Scope[]) {
  const { Client } = await load('index.js');
  const { StdioClientTransport } = await load('stdio.js');
  const { token } = await createToken(app, user, scopes);
  const assistant: Assistant = new Client({ name: 'test', version: '1' });
  const { bin } = (await import(pathToFileURL(path.join(folder, 'package.json')).href, { with: { type: 'json' } }))
    .default;
  await assistant.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(folder, bin['studytrack-mcp'])],
      env: { STUDYTRACK_URL: app.origin, STUDYTRACK_TOKEN: token },
    }),
  );
  onTestFinished(() => assistant.close());
  const call = async (name: string, given = {}) => {
    const { isError = false, content } = await assistant.callTool({ name, arguments: given });
    return { isError, text: content[0]?.text ?? '' };
  };
  const data = async (name: string, given = {}) => {
    const { isError, text } = await call(name, given);
    expect(isError, text).toBe(false);
    return JSON.parse(text);
  };
  return { assistant, call, data };
}

test('an assistant sees at most eight tools, and records study with a token that may', async () => {
  const { assistant, call, data } = await connect(student, ['read', 'sessions:write']);
  const { tools } = await assistant.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'who_am_i',
    'list_projects',
    'start_timer',
    'stop_timer',
    'log_study',
    'today',
    'week',
    'needs_attention',
  ]);
  expect(await data('who_am_i')).toMatchObject({ username: student.username });

  const { body } = await app
    .as(student)
    .post('/api/projects', { name: 'Linear algebra', target_hours: 40 })
    .expect(201);
  const project_id: number = body.data.id;
  const started_at = new Date(Date.now() - 7_200_000).toISOString();
  expect(await data('log_study', { project_id, started_at, minutes: 90, note: 'Chapter 3' })).toMatchObject({
    hours: 1.5,
  });
  expect(await data('list_projects', { search: 'linear' })).toMatchObject({
    projects: [{ id: project_id, own_hours: 1.5 }],
  });
  await data('start_timer', { project_id });
  expect(await data('today')).toMatchObject({ running_timer: { project_id } });
  await data('stop_timer');
  expect(await data('week')).toMatchObject({ by_project: [{ project_id }] });

  // The service decides and explains.
  expect(await call('needs_attention')).toEqual({ isError: true, text: expect.stringMatching(/scope|admin/) });
  expect(await call('log_study', { project_id, started_at: '2999-01-01T00:00:00Z', minutes: 5 })).toEqual({
    isError: true,
    text: expect.stringContaining('started_at'),
  });
});

test('a token that only reads records nothing; an administrator sees who needs attention', async () => {
  const reader = await connect(student, ['read']);
  expect(await reader.call('start_timer', { project_id: 1 })).toEqual({
    isError: true,
    text: expect.stringMatching(/scope/),
  });
  const { data } = await connect(admin, ['admin']);
  expect(await data('needs_attention')).toMatchObject({
    users: [{ username: student.username, state: expect.any(String) }],
  });
});

test('without a token, or a service, it says what is missing', async () => {
  const program = path.join(folder, 'dist/mcp/src/main.js');
  const ended = await execute(process.execPath, [program], { env: {} }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('STUDYTRACK_TOKEN') });
});
