import { runJob } from './contact.ts';
import type { TestApp, TestUser } from './test-app.ts';

export const header = 'username,email,display_name,external_id,group';
export type RosterFields = Readonly<Record<string, string>>;

/** Sends a roster: the lines of a CSV file, or an archive. */
export function sendRoster(app: TestApp, admin: TestUser, file: readonly string[] | Buffer, fields: RosterFields = {}) {
  const content = Buffer.isBuffer(file) ? file : Buffer.from(file.join('\n'));
  const request = app.as(admin).post('/api/admin/roster');
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request.attach('file', content, Buffer.isBuffer(file) ? 'roster.zip' : 'roster.csv');
}

export const applyJobs = (app: TestApp) => runJob(app, 'apply rosters');

export async function getRoster(app: TestApp, admin: TestUser, id: number, query = '?limit=100') {
  return (await app.as(admin).get(`/api/admin/roster/${id}${query}`).expect(200)).body.data;
}

/** Sends a roster, runs its jobs until it has ended, and returns it with its changes. */
export async function runRoster(
  app: TestApp,
  admin: TestUser,
  file: readonly string[] | Buffer,
  fields: RosterFields = { dry_run: 'false' },
) {
  const { id } = (await sendRoster(app, admin, file, fields).expect(202)).body.data;
  for (let runs = 0; runs < 20; runs += 1) {
    await applyJobs(app);
    const found = await getRoster(app, admin, id);
    if (found.roster.finished_at !== null) return found;
  }
  throw new Error('the roster has not ended');
}
