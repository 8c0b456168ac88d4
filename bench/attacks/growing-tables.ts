import { type Attack, attack, type Context } from './attack.ts';
import { put } from './client.ts';
import type { Person } from './people.ts';

// Users with more rows of their own than the limits of today allow, or than anybody stores by hand.

const records = `
  INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
  SELECT $2, $1, $1, moment, moment + interval '9 minutes', 'manual', 'UTC'
  FROM generate_series(0, 199999) AS n, LATERAL (SELECT timestamptz '2022-01-01Z' + n * interval '10 minutes') AS at (moment)`;
const signIns = `
  INSERT INTO sign_ins (user_id, expires_at) SELECT $1, now() + interval '30 days' FROM generate_series(1, 1000000)`;
const statusChanges = `
  INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
  SELECT $1, CASE WHEN n % 2 = 0 THEN 'active' ELSE 'paused' END, CASE WHEN n % 2 = 0 THEN 'paused' ELSE 'active' END,
    now() - (300000 - n) * interval '1 minute' FROM generate_series(0, 299999) AS n`;

const forEach =
  (text: string, valuesOf: (person: Person) => unknown[]) =>
  async ({ people, sql }: Context) => {
    for (const person of people) await sql(text, valuesOf(person));
  };

export const growingTables: readonly Attack[] = [
  attack(
    'period statistics of two users with 200,000 records',
    { people: 2, clients: 16, prepare: forEach(records, ({ id, project }) => [id, project]) },
    (_, n) => {
      const day = new Date(Date.UTC(2023, 0, 1 + (n % 365))).toISOString().slice(0, 10);
      const end = new Date(Date.parse(day) + 370 * 86_400_000).toISOString().slice(0, 10);
      return { path: `/api/stats?from=${day}&to=${end}&compare=previous` };
    },
  ),
  attack(
    'shutting out a user with a million sign-ins, 5,000 times what one can have',
    {
      ...{ people: 2, clients: 8, prepare: forEach(signIns, ({ id }) => [id]) },
      // An administrator shuts one of them out and in again.
      probe: ({ admin }, me) => {
        isIn = !isIn;
        return { ...put(`/api/admin/users/${me?.id}`, { status: isIn ? 'active' : 'inactive' }), from: admin };
      },
    },
    ({ me, people }, n) => ({ path: n % 2 === 0 ? '/api/auth/me' : '/api/dashboard', from: people[1] ?? me }),
  ),
  attack(
    '300,000 changes of the status of a project',
    { people: 2, clients: 8, prepare: forEach(statusChanges, ({ project }) => [project]) },
    ({ me }, n) => {
      if (n % 3 === 0) return put(`/api/projects/${me.project}`, { status: n % 2 === 0 ? 'paused' : 'active' });
      return { path: n % 3 === 1 ? '/api/dashboard' : `/api/projects/${me.project}/forecast` };
    },
  ),
];
let isIn = true;
