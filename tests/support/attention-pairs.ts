import { plus } from './student-oracle.ts';
import type { TestApp, TestUser } from './test-app.ts';

/** The classes of attention in the order of the API document: a student is in the first that applies. */
export const attentionOrder = [
  'silent',
  'overdue',
  'behind',
  'slowing',
  'not_started',
  'on_track',
  'without_goals',
] as const;
export type AttentionClass = (typeof attentionOrder)[number];

/** A student without goals may be silent, and has none of the others. */
const canBoth = (one: AttentionClass, other: AttentionClass) =>
  one !== other && (![one, other].includes('without_goals') || [one, other].includes('silent'));

/** Each ordered pair of two classes that a student can satisfy at once, with the class that they are in. */
export const attentionPairs = attentionOrder.flatMap((one) =>
  attentionOrder
    .filter((other) => canBoth(one, other))
    .map((other) => ({
      username: `${one}-${other}`,
      pair: [one, other] as const,
      is: attentionOrder.find((name) => name === one || name === other) ?? one,
    })),
);

/** How many students of `attentionPairs` are in a class. */
export const numberIn = (name: AttentionClass): number => attentionPairs.filter(({ is }) => is === name).length;

type Goal = { fields: object; assigned: number; records: { first: number; days: number; hours: number } };
const none = { first: 0, days: 0, hours: 0 };
/** A goal of each class, by days before or after today; the records are too old to keep a student from being silent. */
const goals: Readonly<Record<Exclude<AttentionClass, 'silent' | 'without_goals'>, (today: string) => Goal>> = {
  overdue: (today) => ({ fields: { target_hours: 10, due_date: plus(today, -2) }, assigned: -40, records: none }),
  behind: (today) => ({
    ...{ fields: { target_hours: 100, due_date: plus(today, 10) }, assigned: -20 },
    records: { first: -15, days: 1, hours: 1 },
  }),
  // 80 h are above the even pace of 72 h, but there is no study in the last four weeks.
  slowing: (today) => ({
    ...{ fields: { target_hours: 100, due_date: plus(today, 42) }, assigned: -109 },
    records: { first: -105, days: 10, hours: 8 },
  }),
  not_started: (today) => ({ fields: { target_hours: 10, due_date: plus(today, 60) }, assigned: -2, records: none }),
  on_track: () => ({
    ...{ fields: { target_hours: 100, weekly_goal_hours: 1 }, assigned: -20 },
    records: { first: -14, days: 1, hours: 1 },
  }),
};

/** Creates the students of `attentionPairs`, in one class whose id is returned. */
export async function createAttentionPairs(
  app: Pick<TestApp, 'as' | 'query'>,
  admin: TestUser,
  now: Date,
): Promise<number> {
  const today = now.toISOString().slice(0, 10);
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
  const users = await app.query<{ id: number; username: string }>(
    `INSERT INTO users (username, email, display_name, password_hash, timezone)
     SELECT name, name || '@example.org', name, '-', 'UTC' FROM unnest($1::text[]) AS t (name) RETURNING id, username`,
    [attentionPairs.map(({ username }) => username)],
  );
  const idsOf = (is: (pair: readonly [AttentionClass, AttentionClass]) => boolean) =>
    users
      .filter(({ username }) => attentionPairs.some((each) => each.username === username && is(each.pair)))
      .map(({ id }) => id);

  async function create(name: string, ids: number[], { fields, assigned, records }: Goal): Promise<void> {
    const body = { name, category: 'academic', target_scope: 'each', assigned_user_ids: ids, ...fields };
    const { id } = (await app.as(admin).post('/api/projects', body).expect(201)).body.data;
    await app.query('UPDATE projects SET plan_started_at = $2 WHERE id = $1', [id, at(assigned)]);
    await app.query('UPDATE project_assignments SET assigned_at = $2 WHERE project_id = $1', [id, at(assigned)]);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT u, $2, $1, at, at + make_interval(hours => $5), '', 'manual', 'UTC'
       FROM unnest($3::bigint[]) AS u,
         LATERAL (SELECT $4::timestamptz + make_interval(days => n) AS at FROM generate_series(1, $6) AS n) AS day`,
      [id, admin.id, ids, at(records.first - 1), records.hours, records.days],
    );
  }
  const goal = (name: keyof typeof goals, ids: number[]) => create(name, ids, goals[name](today));
  const names = Object.keys(goals) as (keyof typeof goals)[];
  // The goals of the first of a pair are created before those of the second.
  for (const name of names)
    await goal(
      name,
      idsOf(([one]) => one === name),
    );
  for (const name of names)
    await goal(
      name,
      idsOf(([, other]) => other === name),
    );
  const reading = { fields: {}, assigned: -40 };
  const isSilent = (pair: readonly AttentionClass[]) => pair.includes('silent');
  await create('reading', idsOf(isSilent), { ...reading, records: { first: -12, days: 1, hours: 2 } });
  await create(
    'reading',
    idsOf((pair) => !isSilent(pair)),
    { ...reading, records: { first: -1, days: 1, hours: 2 } },
  );
  const body = { name: 'Pairs', user_ids: users.map(({ id }) => id) };
  return (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
}
