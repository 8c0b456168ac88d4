import { expect, onTestFinished, test } from 'vitest';
import { expectInvariants, findViolations } from '../support/invariants.ts';
import { assign, createProject } from '../support/records.ts';
import { startTestApp } from '../support/test-app.ts';

/** Damage that each invariant must detect, done without triggers. */
const damage: Readonly<Record<string, string>> = {
  'hours and counts': 'UPDATE projects SET current_seconds = current_seconds + 1, sessions_count = sessions_count + 1',
  'the stored hours of users': 'UPDATE user_study_totals SET seconds = seconds + 1',
  'hours and progress are awarded': 'DELETE FROM project_achievements',
  'the longest streak are awarded': `
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT project_id, user_id, owner_id, started_at + n * interval '1 day', ended_at + n * interval '1 day', 'manual', 'UTC'
    FROM study_sessions, generate_series(1, 2) AS n`,
  'the single assigned user': 'UPDATE projects SET assigned_user_id = user_id',
  'in the trash, and no deleted user': 'UPDATE projects SET deleted_at = now()',
  'are stored': 'UPDATE projects SET deleted_at = now()',
  'columns copied': 'UPDATE study_sessions SET owner_id = owner_id + 1',
  'projects are counted': 'UPDATE project_counts SET total = total + 1',
  'records are counted': 'UPDATE session_counts SET total = total + 1',
  'search texts': 'DELETE FROM project_search',
  'status history': `INSERT INTO project_status_changes (project_id, from_status, to_status) SELECT id, status, 'paused' FROM projects`,
  'version is positive': 'UPDATE projects SET row_version = 0',
  'before it was created': `UPDATE projects SET updated_at = created_at - interval '1 second'`,
  'two timers': `
    DROP INDEX study_sessions_one_running;
    ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap;
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, source, time_zone)
    SELECT project_id, user_id, owner_id, now() + n * interval '1 day', 'timer', 'UTC' FROM study_sessions, generate_series(1, 2) AS n`,
  overlap: `
    ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap;
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT project_id, user_id, owner_id, started_at, ended_at, 'manual', 'UTC' FROM study_sessions`,
  'belong to existing users': 'UPDATE user_achievements SET user_id = user_id + 1000',
  'have no sign-in': `UPDATE users SET deleted_at = now(), email = NULL, status = 'inactive'`,
  'an administrator remains': `
    INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids) SELECT id, 'a', 'b', 'user', '{}' FROM users`,
  'has its response': `INSERT INTO idempotency_keys (caller, path, key, request_hash) VALUES ('a', 'b', 'c', '')`,
  'is enforced': 'ALTER TABLE users ADD CONSTRAINT late CHECK (id > 0) NOT VALID',
};

test('the invariants that other tests rely on hold, and each detects its violation', async () => {
  const app = await startTestApp();
  onTestFinished(app.stop);
  const [ann, bob] = [await app.createUser(), await app.createUser()];
  const id = await createProject(app, ann);
  await assign(app, id, bob);
  const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 3600 };
  await app.as(ann).post(`/api/projects/${id}/sessions`, record).expect(201);
  await expectInvariants(app);

  for (const [rule, statement] of Object.entries(damage)) {
    const trx = await app.database.knex.transaction();
    try {
      await trx.raw(`SET LOCAL session_replication_role = replica; ${statement}`);
      const found = await findViolations({ query: async (text) => (await trx.raw(text)).rows });
      expect(Object.keys(found).join(), statement).toContain(rule);
    } finally {
      await trx.rollback();
    }
  }
});
