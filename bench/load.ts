import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

/** How much to fill a database with; `crowds`: a user each with so many projects assigned. */
export type Size = { projects: number; users: number; records: number; crowds: readonly number[] };

// A number spread evenly over 0 … 2^31, always the same for the same input.
const chance = (input: string) => `(hashint8(${input}) & 2147483647)::bigint`;
const words = (list: readonly string[], input: string) =>
  `(ARRAY['${list.join("','")}'])[1 + (${chance(input)} % ${list.length})::integer]`;
const subjects = [
  '线性代数',
  '高等数学',
  '英语口语',
  '机器学习',
  '中国历史',
  'Algebra',
  'Organic chemistry',
  'Piano',
  'Drawing',
  'Rust',
  '日语',
  '物理实验',
];
const kinds = [
  '复习',
  '练习',
  '笔记',
  '考试准备',
  'exercises',
  'reading',
  'project',
  'revision',
  'course',
  'homework',
  'seminar',
  '阅读',
];

function statements({ projects, users, records, crowds }: Size): [string, string][] {
  const busy = Math.min(2000, projects / 50);
  return [
    [
      'users',
      `INSERT INTO users (username, email, display_name, role, timezone)
       SELECT 'person' || n, 'person' || n || '@example.org', 'Person ' || n, CASE WHEN n = 21 THEN 'admin' ELSE 'user' END, 'Asia/Shanghai'
       FROM generate_series(1, ${users}) AS n`,
    ],
    ['list versions', 'INSERT INTO user_list_versions (user_id) SELECT id FROM users'],
    [
      'projects',
      `INSERT INTO projects (user_id, name, description, status, category, target_hours, created_at, updated_at)
       SELECT 22 + ${chance('n')} % (${users} - 21),
         ${words(subjects, 'n + 1')} || ' ' || ${words(kinds, 'n * 3')} || ' ' || n,
         CASE WHEN n % 3 = 0 THEN '' ELSE ${words(subjects, 'n * 5')} || ' ' || ${words(kinds, 'n * 7')} || '，every week, ' || ${words(kinds, 'n * 11')}
           || CASE WHEN n = 77777 THEN ' 量子纠缠 zygote' ELSE '' END END,
         CASE WHEN n % 10 = 0 THEN 'completed' WHEN n % 17 = 0 THEN 'paused' ELSE 'active' END,
         (ARRAY['academic', 'skill', 'hobby', 'other'])[1 + n % 4], n % 200, t, t
       FROM generate_series(1, ${projects}) AS n,
         LATERAL (SELECT '2024-01-01Z'::timestamptz + n * interval '1 minute' AS t) AS moment`,
    ],
    [
      'assignments of the busy',
      `INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
       SELECT p.id, person, person, p.user_id, p.created_at
       FROM generate_series(1, 20) AS person, generate_series(0, ${busy - 1}) AS k
       JOIN LATERAL (SELECT 1 + (person * 37 + k * ${projects / busy}) % ${projects} AS id) AS pick ON true
       JOIN projects p ON p.id = pick.id`,
    ],
    ...crowds.map((size, index): [string, string] => [
      `assignments of a user with ${size.toLocaleString('en')}`,
      `INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
       SELECT p.id, ${22 + index}, ${22 + index}, p.user_id, p.created_at FROM projects p
       WHERE p.id % ${Math.floor(projects / size)} = 1 AND p.user_id <> ${22 + index}`,
    ]),
    [
      'assignments of everybody',
      `INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
       SELECT p.id, 24 + (${chance('p.id * 13')} + j * 7919) % (${users} - 23), 100 + j, p.user_id, p.created_at
       FROM projects p, generate_series(0, 2) AS j WHERE j < 2 OR p.id % 5 < 3
       ON CONFLICT DO NOTHING`,
    ],
    [
      'records',
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT p.id, p.user_id, 22 + n % (${users} - 21), t, t + (20 + ${chance('n * 3')} % 90) * interval '1 minute', 'manual', 'Asia/Shanghai'
       FROM generate_series(1, ${records}) AS n
       JOIN projects p ON p.id = CASE WHEN n <= 30000 THEN 1 WHEN n <= 30300 THEN 2 ELSE 3 + ${chance('n')} % (${projects} - 2) END
       CROSS JOIN LATERAL (SELECT '2026-11-01Z'::timestamptz - (n / (${users} - 21)) * interval '5 hours' AS t) AS moment`,
    ],
    [
      'figures of projects',
      `UPDATE projects p SET current_seconds = s.seconds, sessions_count = s.number,
         assigned_user_id = (SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id ORDER BY a.position, a.id LIMIT 1)
       FROM (SELECT p2.id, coalesce(sum(s.duration_seconds), 0) AS seconds, count(s.id) AS number
             FROM projects p2 LEFT JOIN study_sessions s ON s.project_id = p2.id GROUP BY p2.id) AS s
       WHERE s.id = p.id`,
    ],
    [
      'search',
      `INSERT INTO project_search (project_id, created_at, content)
       SELECT id, created_at, lower(name || E'\\n' || description) FROM projects`,
    ],
    [
      'figures of people',
      `INSERT INTO user_study_totals (user_id, seconds, last_session_at)
       SELECT user_id, sum(duration_seconds), max(ended_at) FROM study_sessions GROUP BY user_id`,
    ],
    [
      'figures of people in projects',
      `INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count, last_session)
       SELECT user_id, project_id, sum(duration_seconds), count(*), max(ended_at) FROM study_sessions GROUP BY user_id, project_id`,
    ],
    [
      'counts',
      'INSERT INTO project_counts (status, category, total) SELECT status, category, count(*) FROM projects GROUP BY 1, 2',
    ],
  ];
}

// Made anew after loading: checked and indexed row by row they would take most of the time.
const dropConstraint = 'ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap';
const addConstraint = `ALTER TABLE study_sessions ADD CONSTRAINT study_sessions_no_overlap
  EXCLUDE USING gist (user_id WITH =, tstzrange(started_at, ended_at, '[)') WITH &&)`;
const findIndexes = `
  SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
  WHERE i.schemaname = 'public' AND i.tablename IN ('project_assignments', 'project_search', 'study_sessions')
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`;

/**
 * Fills an empty database for measuring: deterministic, set-based, without triggers while it loads.
 * People 1–20 are the busy ones with 2,000 assigned projects each (a fiftieth of all where there are fewer than
 * 100,000); 21 is an administrator; project 1 has 30,000 records, project 2 has 300. `report` is told of each step, with
 * its seconds.
 */
export async function load(url: string, size: Size, report: (step: string, seconds: number) => void): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)('npm', ['run', '--silent', 'migrate'], { env });
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    if ((await client.query('SELECT FROM users LIMIT 1')).rowCount !== 0)
      throw new Error('the database holds users already; name an empty one');
    const step = async (name: string, text: string) => {
      const started = performance.now();
      await client.query(text);
      report(name, (performance.now() - started) / 1000);
    };
    await client.query(`SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET synchronous_commit = off;
      SET session_replication_role = replica`); // triggers off, for a superuser
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(findIndexes);
    await step('indexes off', [dropConstraint, ...indexes.map(({ name }) => `DROP INDEX ${name}`)].join('; '));
    for (const [name, text] of statements(size)) await step(name, text);
    for (const { name, definition } of indexes) await step(name, definition);
    await step('no overlaps', addConstraint);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
