import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * How much data to load. `crowds`: for each entry, a user with that many assigned projects. `readsOnly`: without the
 * constraint against overlapping records, whose index takes longest to build and is used by writes only.
 */
export type Size = {
  projects: number;
  users: number;
  records: number;
  crowds: readonly number[];
  readsOnly?: boolean;
};

// A uniformly distributed number in 0 … 2^31, deterministic for its input.
const random = (input: string) => `(hashint8(${input}) & 2147483647)::bigint`;
const pick = (list: readonly string[], input: string) =>
  `(ARRAY['${list.join("','")}'])[1 + (${random(input)} % ${list.length})::integer]`;
const subjects =
  '线性代数,高等数学,英语口语,机器学习,中国历史,Algebra,Organic chemistry,Piano,Drawing,Rust,日语,物理实验'.split(',');
const kinds = '复习,练习,笔记,考试准备,exercises,reading,project,revision,course,homework,seminar,阅读'.split(',');

// The steps, each below its name. Each row depends on its number only, so that tables are filled without reading others.
function statements({ projects, users, records, crowds }: Size): string {
  const busy = Math.min(2000, projects / 50);
  const owner = (n: string) => `22 + ${random(n)} % ${users - 21}`;
  const createdAt = (n: string) =>
    `'2024-01-01Z'::timestamptz + ${n} * interval '${Math.round(60_000_000 / projects)} seconds'`;
  const assign = 'INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)';
  const assignCrowd = (size: number, index: number) => `
    -- assignments of a user with ${size.toLocaleString('en')}
    ${assign}
      SELECT id, ${22 + index}, ${22 + index}, ${owner('id')}, ${createdAt('id')} FROM generate_series(1, ${projects}) AS id
      WHERE id % ${Math.floor(projects / size)} = 1 AND ${owner('id')} <> ${22 + index};`;
  return `
    -- users
    INSERT INTO users (username, email, display_name, role, timezone)
      SELECT 'person' || n, 'person' || n || '@example.org', 'Person ' || n, CASE WHEN n BETWEEN 6 AND 21 THEN 'admin' ELSE 'user' END, 'Asia/Shanghai'
      FROM generate_series(1, ${users}) AS n;
    -- list versions
    INSERT INTO user_list_versions (user_id) SELECT id FROM users;
    -- classes of 200 and 900
    INSERT INTO groups (name, members_count) VALUES ('Class of 200', 200), ('Class of 900', 900);
    INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM groups g JOIN users u ON u.id BETWEEN 100 AND 99 + g.members_count;
    -- assignments of busy users
    ${assign}
      SELECT p.id, person, person, ${owner('p.id')}, ${createdAt('p.id')}
      FROM generate_series(1, 20) AS person, generate_series(0, ${busy - 1}) AS k,
        LATERAL (SELECT 1 + (person * 37 + k * ${projects / busy}) % ${projects} AS id) AS p
      ORDER BY p.id;
    ${crowds.map(assignCrowd).join('\n')}
    -- assignments of all users
    ${assign}
      SELECT id, 24 + (${random('id * 13')} + j * 7919) % (${users} - 23), 100 + j, ${owner('id')}, ${createdAt('id')}
      FROM (SELECT generate_series(1, ${projects}) AS id) AS p, generate_series(0, 2) AS j WHERE j < 2 OR id % 5 < 3
      ON CONFLICT DO NOTHING;
    -- records
    INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
      SELECT id, ${owner('id')}, 22 + n % (${users} - 21), t, t + (20 + ${random('n * 3')} % 90) * interval '1 minute',
        CASE WHEN n = 77775 THEN '量子纠缠 zygote' WHEN n % 10 = 0 THEN ${pick(subjects, 'n * 17')} || ' ' || ${pick(kinds, 'n * 19')} || ' ' || n % 97
          ELSE '' END, 'manual', 'Asia/Shanghai'
      FROM (SELECT n, ${project('n', projects, records)} AS id,
              date_trunc('day', now()) - interval '1 day' - n / (${users} - 21) * interval '3 days' - ${random('n * 23')} % 2400 * interval '1 minute' AS t
            FROM (SELECT generate_series(1, ${records}) AS n) AS numbers OFFSET 0) AS r;
    -- totals
    CREATE TEMPORARY TABLE figures AS
      SELECT project_id AS id, sum(duration_seconds) AS seconds, count(*) AS number FROM study_sessions GROUP BY 1;
    CREATE TEMPORARY TABLE first_assigned AS
      SELECT DISTINCT ON (project_id) project_id AS id, user_id FROM project_assignments ORDER BY project_id, position, user_id;
    ANALYZE figures, first_assigned;
    -- projects
    INSERT INTO projects (user_id, name, description, status, category, target_hours, created_at, updated_at,
      current_seconds, sessions_count, assigned_user_id)
      SELECT ${owner('n')},
        ${pick(subjects, 'n + 1')} || ' ' || ${pick(kinds, 'n * 3')} || ' ' || n,
        CASE WHEN n % 3 = 0 THEN '' ELSE ${pick(subjects, 'n * 5')} || ' ' || ${pick(kinds, 'n * 7')} || '，every week, ' || ${pick(kinds, 'n * 11')}
          || CASE WHEN n = 77777 THEN ' 量子纠缠 zygote' ELSE '' END END,
        CASE WHEN n % 10 = 0 THEN 'completed' WHEN n % 17 = 0 THEN 'paused' ELSE 'active' END,
        (ARRAY['academic', 'skill', 'hobby', 'other'])[1 + n % 4], n % 200, ${createdAt('n')}, ${createdAt('n')},
        coalesce(f.seconds, 0), coalesce(f.number, 0), a.user_id
      FROM generate_series(1, ${projects}) AS n LEFT JOIN figures f ON f.id = n LEFT JOIN first_assigned a ON a.id = n
      ORDER BY n;
    -- search
    INSERT INTO project_search (project_id, created_at, content)
      SELECT id, created_at, lower(name || E'\\n' || description) FROM projects;
    -- totals of users by project
    INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count, last_session)
      SELECT user_id, project_id, sum(duration_seconds), count(*), max(ended_at) FROM study_sessions
      GROUP BY user_id, project_id ORDER BY user_id, project_id;
    -- totals of users
    INSERT INTO user_study_totals (user_id, seconds, sessions_count, last_session_at)
      SELECT user_id, sum(seconds), sum(sessions_count), max(last_session) FROM project_user_totals GROUP BY user_id ORDER BY user_id;
    -- counts
    INSERT INTO project_counts (month, status, category, total)
      SELECT date_trunc('month', created_at AT TIME ZONE 'UTC'), status, category, count(*) FROM projects GROUP BY 1, 2, 3;
    INSERT INTO session_counts (day, running, total)
      SELECT (started_at AT TIME ZONE 'UTC')::date, false, count(*) FROM study_sessions GROUP BY 1;`;
}

/** SQL for the project of the n-th record: 300 on project 2 and 30,000 on project 1, by different users and at any time. */
function project(n: string, projects: number, records: number): string {
  const spread = (on: number) => Math.max(1, Math.floor(records / on));
  const turn = (on: number, from: number) => `${n} % ${spread(on)} = ${from} AND ${n} / ${spread(on)} < ${on}`;
  return `CASE WHEN ${turn(300, 1)} THEN 2 WHEN ${turn(30_000, 0)} THEN 1 ELSE 3 + ${random(n)} % ${projects - 2} END`;
}

// Recreated after loading: checking and indexing row by row would take most of the time.
const dropConstraint = 'ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap';
const addConstraint = `ALTER TABLE study_sessions ADD CONSTRAINT study_sessions_no_overlap
  EXCLUDE USING gist (user_id WITH =, tstzrange(started_at, ended_at, '[)') WITH &&)`;
const findIndexes = `
  SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
  WHERE i.schemaname = 'public' AND i.tablename IN ('projects', 'project_assignments', 'project_search', 'project_user_totals', 'study_sessions', 'users')
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`;

// Settings of these indexes that their definition does not include.
const isOfSearch = ({ definition }: { definition: string }) => definition.includes('USING gin');
const withoutStatistics = ({ name }: { name: string }) => `ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0`;

/**
 * Fills an empty database with benchmark data: deterministic, set-based, with triggers disabled while loading.
 * Users 1–20 are busy, with 2,000 assigned projects each (a fiftieth of all if there are fewer than 100,000); users 6–21 are
 * administrators; project 1 has 30,000 records, project 2 has 300. `report` is called after each step with its duration.
 */
export async function load(url: string, size: Size, report: (step: string, seconds: number) => void): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)('npm', ['run', '--silent', 'migrate'], { env });
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    if ((await client.query('SELECT FROM users LIMIT 1')).rowCount !== 0)
      throw new Error('the database already contains users; use an empty one');
    const step = async (name: string, text: string) => {
      const started = performance.now();
      await client.query(text);
      report(name, (performance.now() - started) / 1000);
    };
    await client.query(`SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET synchronous_commit = off;
      SET session_replication_role = replica`); // disables triggers; requires a superuser
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(findIndexes);
    await step('drop indexes', [dropConstraint, ...indexes.map(({ name }) => `DROP INDEX ${name}`)].join('; '));
    const [, ...parts] = statements(size).split(/^ +-- /m);
    for (const part of parts) {
      const [name = '', ...lines] = part.split('\n');
      await step(name, lines.join('\n'));
    }
    for (const { name, definition } of indexes) await step(name, definition);
    await step('search without statistics', indexes.filter(isOfSearch).map(withoutStatistics).join('; '));
    if (size.readsOnly !== true) await step('overlap constraint', addConstraint);
    await step('vacuum', 'VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
