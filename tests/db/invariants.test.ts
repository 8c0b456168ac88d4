import { expect, onTestFinished, test } from 'vitest';
import { expectInvariants, findViolations } from '../support/invariants.ts';
import { assign, createProject } from '../support/records.ts';
import { startTestApp } from '../support/test-app.ts';

/** What each invariant must notice, done past the triggers and the application. */
const damage: Readonly<Record<string, string>> = {
  'hours and counts': 'UPDATE projects SET current_seconds = current_seconds + 1, sessions_count = sessions_count + 1',
  'hours kept of people': 'UPDATE user_study_totals SET seconds = seconds + 1',
  'is earned': 'DELETE FROM project_achievements',
  'the longest streak': `
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT project_id, user_id, owner_id, started_at + n * interval '1 day', ended_at + n * interval '1 day', 'manual', 'UTC'
    FROM study_sessions, generate_series(1, 2) AS n`,
  'the one assigned user': 'UPDATE projects SET assigned_user_id = user_id',
  'in the trash, and nobody who is gone': 'UPDATE projects SET deleted_at = now()',
  'are kept': 'UPDATE projects SET deleted_at = now()',
  copies: 'UPDATE study_sessions SET owner_id = owner_id + 1',
  'projects are counted': 'UPDATE project_counts SET total = total + 1',
  'records are counted': 'UPDATE session_counts SET total = total + 1',
  'is searched': 'DELETE FROM project_search',
  history: `INSERT INTO project_status_changes (project_id, from_status, to_status) SELECT id, status, 'paused' FROM projects`,
  'version of its list': 'DELETE FROM user_list_versions',
  'before it was made': `UPDATE projects SET updated_at = created_at - interval '1 second'`,
  'two timers': `
    DROP INDEX study_sessions_one_running;
    ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap;
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, source, time_zone)
    SELECT project_id, user_id, owner_id, now() + n * interval '1 day', 'timer', 'UTC' FROM study_sessions, generate_series(1, 2) AS n`,
  overlap: `
    ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap;
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT project_id, user_id, owner_id, started_at, ended_at, 'manual', 'UTC' FROM study_sessions`,
  'someone who is there': 'UPDATE user_achievements SET user_id = user_id + 1000',
  'has no sign-in': `UPDATE users SET deleted_at = now(), email = NULL, status = 'inactive'`,
  'one is left': `
    INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids) SELECT id, 'a', 'b', 'user', '{}' FROM users`,
  'without its answer': `INSERT INTO idempotency_keys (caller, path, key, request_hash) VALUES ('a', 'b', 'c', '')`,
  'is enforced': 'ALTER TABLE users ADD CONSTRAINT late CHECK (id > 0) NOT VALID',
};

test('the invariants that other tests rely on hold, and each notices what breaks it', async () => {
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
