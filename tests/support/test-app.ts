import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import request, { type Response, type Test } from 'supertest';
import { createApp } from '../../src/boot/app.ts';
import { createContainer } from '../../src/boot/composition/index.ts';
import { expressPrototypes } from '../../src/boot/http-server.ts';
import { readConfig } from '../../src/config/config.ts';
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts';
import type { WebSite } from '../../src/http/web/web-router.ts';
import { createLogger, type Logger, readable } from '../../src/lib/log/logger.ts';
import { insertUser, type NewUser } from './accounts.ts';
import { contractOf } from './contract.ts';
import { createTestDatabase, nearest, patientTimeouts } from './database.ts';
import { openPlainSql } from './plain-sql.ts';

export const testSecret = 'a secret of the tests, long enough to be one';

export type TestUser = { id: number; username: string; email: string; role: 'admin' | 'user'; token: string };
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A clock that tests set; until then it does not advance. */
export function createTestClock(start = new Date()) {
  let now = start;
  return Object.assign(() => now, {
    set: (moment: string | Date) => {
      now = new Date(moment);
    },
    advance: (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds);
    },
  });
}

/** A clock that runs, as in browsers; tests advance it. */
export function createRunningClock() {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
    reset: () => {
      ahead = 0;
    },
  });
}

export type TestAppOptions = {
  settings?: NodeJS.ProcessEnv;
  clock?: () => Date;
  /** The database of another test app: a second process, so to speak. */
  databaseUrl?: string;
  /** Of that database's statements. */
  timeouts?: DatabaseOptions['timeouts'];
  logger?: Logger;
  /** As in JWT_SECRET. */
  secrets?: readonly string[];
  /** The web application; by default none, whatever was built in the checkout. */
  site?: WebSite;
};

/** Prints why a request got 500, which the response does not tell. */
const failuresOnly = {
  write(text: string) {
    const line = JSON.parse(text);
    if (line.msg === 'request failed' && line.err.type !== 'UnavailableError')
      process.stderr.write(`${readable(line)}\n`);
  },
};

/**
 * The application under test: listening on a port of its own, over a database of its own, the same as in production.
 * Its clients check every response against the OpenAPI document.
 */
export async function startTestApp({
  settings = {},
  clock,
  databaseUrl,
  timeouts = patientTimeouts,
  logger,
  secrets = [testSecret],
  site,
}: TestAppOptions = {}) {
  const own = databaseUrl === undefined ? await createTestDatabase({ poolSize: 10 }) : undefined;
  const url = own?.url ?? databaseUrl ?? '';
  const database = own?.database ?? openDatabase({ url: nearest(url), poolSize: 10, timeouts });
  const sql = own?.sql ?? openPlainSql(nearest(url));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-app-'));
  const folders = { DATA_DIR: path.join(folder, 'data'), UPLOADS_DIR: path.join(folder, 'uploads') };
  const config = readConfig({ NODE_ENV: 'test', RATE_LIMIT_PER_MINUTE: '0', ...folders, ...settings });
  const container = createContainer({
    config,
    database,
    logger: logger ?? createLogger('error', { destination: failuresOnly, messages: true }),
    secrets,
    ...(clock !== undefined && { clock }),
  });
  const app = createApp(container, site);
  const server = createServer(expressPrototypes(app), app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A connection for each request would take a third of its processor time. None is closed while a client may use it.
  server.keepAliveTimeout = 0;
  const agent = new Agent({ keepAlive: true });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contract = contractOf(container.operations);

  function send(method: Method, url: string, token?: string): Test {
    const test = request(server)[method](url).agent(agent);
    if (token !== undefined) test.set('Authorization', `Bearer ${token}`);
    if (url.startsWith('/api/auth/browser/')) test.set('Sec-Fetch-Site', 'same-origin');
    test.expect((response: Response) => {
      contract.check(method.toUpperCase(), url, {
        status: response.status,
        body: response.body,
        type: response.type,
        headers: response.headers,
      });
    });
    return test;
  }

  /** A client: `as(user).get('/api/projects')`; without a user, nobody is signed in. */
  function as(user?: TestUser) {
    const token = user?.token;
    return {
      get: (url: string) => send('get', url, token),
      post: (url: string, body?: object) => withBody(send('post', url, token), body),
      put: (url: string, body?: object) => withBody(send('put', url, token), body),
      patch: (url: string, body?: object) => withBody(send('patch', url, token), body),
      delete: (url: string) => send('delete', url, token),
    };
  }

  const testApp = {
    app,
    server,
    origin,
    databaseUrl: url,
    database,
    container,
    contract,
    as,
    anonymous: as(),
    createUser: (fields: NewUser = {}) => insertUser(sql.query, fields, (subject) => container.tokens.sign(subject)),
    /** SQL on the application's database, over connections of its own. */
    query: sql.query,
    transaction: sql.transaction,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await (own === undefined ? Promise.all([database.close(), sql.close()]) : own.drop());
      await rm(folder, { recursive: true, force: true });
      release(testApp);
    },
  };
  return testApp;
}

/** Test files, and so their apps, stay in memory until the process ends. Each would keep 4 MB, which slows down every garbage collection. */
function release(app: object): void {
  for (const name of Object.keys(app)) Reflect.deleteProperty(app, name);
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

function withBody(test: Test, body: object | undefined): Test {
  return body === undefined ? test : test.send(body);
}
