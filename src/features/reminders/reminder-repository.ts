import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { locales } from '../../messages/index.ts';
import { replyHours } from '../inbox/inbox-schemas.ts';
import { silentDays } from '../progress/progress-schemas.ts';
import { ago } from '../progress/progress-sql.ts';
import {
  type Calendar,
  calendarParameters,
  dayNumber,
  sinceGap,
  studiedDays,
  studyDays,
} from '../statistics/study-days.ts';
import type { StudiedDays } from '../statistics/study-figures.ts';
import { roles } from '../users/user-schemas.ts';

export const reminderKinds = ['streak', 'week'] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** The local hour of the weekly mail. */
const weeklyHour = 8;

const due = {
  user_id: t.bigint,
  kind: t.oneOf(reminderKinds),
  role: t.oneOf(roles),
  zone: t.text,
  day: t.integer,
  ends_at: t.timestamptz,
};
export type DueReminder = RowOf<typeof due>;

// Hours are compared on the clock of the day of study: with days from 3:00, 1:00 is the last hour but one.
const listDue = query('list_due_reminders', due, (now: Date, afterId: number, limit: number) => {
  const weekday = sql`extract(isodow FROM local.clock)::integer`;
  return sql`
    SELECT u.id AS user_id, k.kind, u.role, u.timezone AS zone, ${dayNumber(sql`local.clock::date`)} AS day,
      (local.clock::date + 1 + make_interval(hours => u.day_start_hour)) AT TIME ZONE u.timezone AS ends_at
    FROM users u
    CROSS JOIN LATERAL (VALUES ('streak', u.streak_reminder_hour),
      ('week', CASE WHEN u.weekly_mail THEN ${t.integer(weeklyHour)} END)) AS k (kind, hour)
    CROSS JOIN LATERAL (
      SELECT ${t.timestamptz(now)} AT TIME ZONE u.timezone - make_interval(hours => u.day_start_hour) AS clock) AS local
    LEFT JOIN reminders r ON r.user_id = u.id AND r.kind = k.kind
    WHERE u.id > ${t.bigint(afterId)} AND (u.streak_reminder_hour IS NOT NULL OR u.weekly_mail) AND u.status = 'active'
      AND extract(hour FROM local.clock) >= (k.hour + 24 - u.day_start_hour) % 24
      AND (r.day IS NULL OR r.day < local.clock::date)
      AND CASE k.kind WHEN 'week' THEN ${weekday} = u.week_start ELSE ${weekday} <> ALL (u.rest_weekdays) END
    ORDER BY u.id, k.kind LIMIT ${t.integer(limit)}`;
});

const recipient = { email: t.text, display_name: t.text, locale: t.oneOf(locales).orNull };

// One statement, so that of several processes one sends it. Choice and role are checked again: they may have changed since.
type Claim = Pick<DueReminder, 'user_id' | 'kind' | 'role' | 'day'>;
const claim = query('claim_reminder', recipient, ({ user_id, kind, role, day }: Claim) => {
  const ofKind = t.text(kind);
  return sql`
    WITH claimed AS (
      INSERT INTO reminders AS r (user_id, kind, day)
      SELECT u.id, ${ofKind}, date '1970-01-01' + ${t.integer(day)} FROM users u
      WHERE u.id = ${t.bigint(user_id)} AND u.status = 'active' AND u.role = ${t.text(role)}
        AND CASE ${ofKind} WHEN 'week' THEN u.weekly_mail ELSE u.streak_reminder_hour IS NOT NULL END
      ON CONFLICT ON CONSTRAINT reminders_pkey DO UPDATE SET day = excluded.day WHERE r.day < excluded.day
      RETURNING user_id)
    SELECT u.email, u.display_name, u.locale FROM claimed c JOIN users u ON u.id = c.user_id`;
});

const study = { studied: t.json<StudiedDays>(), is_running: t.boolean };
const readStudy = query('read_study_for_reminder', study, (calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  return sql`
    WITH ${studyDays(sinceGap(parameters.user_id, parameters.now, 16), parameters)}
    SELECT json_build_object(${studiedDays}) AS studied, EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = ${parameters.user_id} AND s.ended_at IS NULL) AS is_running
    FROM today`;
});

const member = { group_name: t.text, user_id: t.bigint, zone: t.text, is_silent: t.boolean };
const listMembers = query(
  'list_members_for_digest',
  member,
  (now: Date) => sql`
  SELECT g.name AS group_name, u.id AS user_id, u.timezone AS zone,
    coalesce(k.last_session_at < ${ago(now, silentDays)}, false) AS is_silent
  FROM groups g JOIN group_members m ON m.group_id = g.id JOIN users u ON u.id = m.user_id
  LEFT JOIN user_study_totals k ON k.user_id = u.id
  WHERE u.role = 'user' AND u.status = 'active'
  ORDER BY lower(g.name), u.id`,
);

const countWaiting = query(
  'count_waiting_requests',
  { waiting: t.bigint },
  (now: Date) => sql`
  SELECT count(*) AS waiting FROM contact_requests r
  WHERE r.status <> 'resolved' AND r.created_at < ${t.timestamptz(new Date(now.getTime() - replyHours * 3_600_000))}`,
);

const withdrawn = { streak: { streak_reminder_hour: null }, week: { weekly_mail: false } } as const;

export function createReminderRepository(db: Executor) {
  return {
    listDue: (now: Date, afterId: number, limit: number) => db.many(listDue(now, afterId, limit)),
    /** The recipient, once per user, kind and day; undefined if it was claimed before or is not wanted any more. */
    claim: (reminder: Claim) => db.maybeOne(claim(reminder)),
    readStudy: (calendar: Calendar) => db.one(readStudy(calendar)),
    listMembers: (now: Date) => db.many(listMembers(now)),
    countWaiting: async (now: Date) => (await db.one(countWaiting(now))).waiting,
    unsubscribe: async (id: number, kind: ReminderKind) =>
      db.table('users', `unsubscribe_${kind}`).where({ id, status: 'active' }).update(withdrawn[kind]),
  };
}
