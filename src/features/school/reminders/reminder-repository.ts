import { actingRoles } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne, one, value } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';
import { actingRole, groupsInScope } from '../../../transactions/scope-sql.ts';
import { replyHours } from '../../contact/inbox/inbox-schemas.ts';
import { specialDays } from '../../study/calendar/day-kind-sql.ts';
import {
  type Calendar,
  calendarParameters,
  dayNumber,
  sinceGap,
  studiedDays,
  studyDays,
} from '../../study/calendar/study-days.ts';
import type { StudiedDays } from '../../study/calendar/study-figures.ts';

export const reminderKinds = ['streak', 'week'] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** The local hour of the weekly mail. */
const weeklyHour = 8;

/** How it reaches its reader. */
const reminderWays = ['mail', 'channel'] as const;

const due = {
  user_id: t.bigint,
  kind: t.oneOf(reminderKinds),
  via: t.oneOf(reminderWays),
  role: t.oneOf(actingRoles),
  zone: t.text,
  day: t.integer,
  ends_at: t.timestamptz,
};
export type DueReminder = RowOf<typeof due>;

// A day after tomorrow was written when the clock was ahead; another zone may be a day ahead.
const isEarlier = (day: Sql) => sql`(r.day < ${day} OR r.day > ${day} + 1)`;

// Hours are compared on the clock of the day of study: with days from 3:00, 1:00 is the last hour but one.
export const listDue = many('list_due_reminders', due, (now: Date, afterId: number, limit: number, mails: boolean) => {
  const weekday = sql`extract(isodow FROM local.clock)::integer`;
  const after = t.bigint(afterId);
  return sql`
    SELECT u.id AS user_id, k.kind, k.via, ${actingRole} AS role, u.timezone AS zone, ${dayNumber(sql`local.clock::date`)} AS day,
      (local.clock::date + 1 + make_interval(hours => u.day_start_hour)) AT TIME ZONE u.timezone AS ends_at
    FROM (
      SELECT m.id FROM users m
      WHERE (m.streak_reminder_hour IS NOT NULL OR m.weekly_mail) AND m.status = 'active' AND m.id > ${after}
      UNION SELECT h.user_id FROM channels h WHERE h.user_id > ${after}) AS chosen
    JOIN users u ON u.id = chosen.id AND u.status = 'active'
    LEFT JOIN channels c ON c.user_id = u.id
    CROSS JOIN LATERAL (VALUES ('streak', 'mail', u.streak_reminder_hour, NULL::timestamptz),
      ('week', 'mail', CASE WHEN u.weekly_mail THEN ${t.integer(weeklyHour)} END, NULL),
      ('streak', 'channel', c.streak_hour, c.since),
      ('week', 'channel', CASE WHEN c.weekly THEN ${t.integer(weeklyHour)} END, c.since)) AS k (kind, via, hour, since)
    CROSS JOIN LATERAL (
      SELECT ${t.timestamptz(now)} AT TIME ZONE u.timezone - make_interval(hours => u.day_start_hour) AS clock) AS local
    LEFT JOIN reminders r ON r.user_id = u.id AND r.kind = k.kind AND r.via = k.via
    WHERE (k.via = 'channel' OR ${t.boolean(mails)})
      AND extract(hour FROM local.clock) >= (k.hour + 24 - u.day_start_hour) % 24
      AND (r.day IS NULL OR ${isEarlier(sql`local.clock::date`)})
      AND (k.since IS NULL OR k.since <= (local.clock::date + make_interval(hours =>
        (k.hour + 24 - u.day_start_hour) % 24 + u.day_start_hour)) AT TIME ZONE u.timezone)
      AND CASE k.kind WHEN 'week' THEN ${weekday} = u.week_start ELSE (
        SELECT NOT special.off @> local.clock::date AND (special.school @> local.clock::date OR ${weekday} <> ALL (u.rest_weekdays))
        FROM (${specialDays(sql`u.id`)}) AS special) END
    ORDER BY u.id, k.kind, k.via LIMIT ${t.integer(limit)}`;
});

const recipient = { email: t.text, display_name: t.text, locale: t.oneOf(locales).orNull };

// One statement, so that of several processes one sends it. Choice and role are checked again: they may have changed since.
type Claim = Pick<DueReminder, 'user_id' | 'kind' | 'via' | 'role' | 'day'>;
/** The recipient, once per user, kind, way and day; undefined if it was claimed before or is not wanted any more. */
export const claim = maybeOne('claim_reminder', recipient, ({ user_id, kind, via, role, day }: Claim) => {
  const ofKind = t.text(kind);
  return sql`
    WITH claimed AS (
      INSERT INTO reminders AS r (user_id, kind, via, day)
      SELECT u.id, ${ofKind}, ${t.text(via)}, date '1970-01-01' + ${t.integer(day)}
      FROM users u LEFT JOIN channels c ON c.user_id = u.id
      WHERE u.id = ${t.bigint(user_id)} AND u.status = 'active' AND ${actingRole} = ${t.text(role)}
        AND CASE ${t.text(via)} || ' ' || ${ofKind} WHEN 'mail week' THEN u.weekly_mail
          WHEN 'mail streak' THEN u.streak_reminder_hour IS NOT NULL
          WHEN 'channel week' THEN c.weekly ELSE c.streak_hour IS NOT NULL END
      ON CONFLICT ON CONSTRAINT reminders_pkey DO UPDATE SET day = excluded.day WHERE ${isEarlier(sql`excluded.day`)}
      RETURNING user_id)
    SELECT u.email, u.display_name, u.locale FROM claimed c JOIN users u ON u.id = c.user_id`;
});

const study = { studied: t.json<StudiedDays>(), is_running: t.boolean };
export const readStudy = one('read_study_for_reminder', study, (calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  return sql`
    WITH ${studyDays(sinceGap(parameters.user_id, parameters.now, 16), parameters)}
    SELECT json_build_object(${studiedDays}) AS studied, EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = ${parameters.user_id} AND s.ended_at IS NULL) AS is_running
    FROM today`;
});

const member = { group_id: t.bigint, group_name: t.text, user_id: t.bigint, zone: t.text };
/** `limitedTo`: the administrator whose groups these are. */
export const listMembers = many(
  'list_members_for_digest',
  member,
  (limitedTo: number | undefined) => sql`
  SELECT g.id AS group_id, g.name AS group_name, u.id AS user_id, u.timezone AS zone
  FROM groups g JOIN group_members m ON m.group_id = g.id JOIN users u ON u.id = m.user_id
  WHERE u.role = 'user' AND u.status = 'active'
    ${limitedTo === undefined ? empty : sql`AND g.id IN (${groupsInScope(t.bigint(limitedTo))})`}
  ORDER BY lower(g.name), u.id`,
);

export const countWaiting = value(
  'count_waiting_requests',
  { waiting: t.bigint },
  (now: Date) => sql`
  SELECT count(*) AS waiting FROM contact_requests r
  WHERE r.status <> 'resolved' AND r.created_at < ${t.timestamptz(new Date(now.getTime() - replyHours * 3_600_000))}`,
);

const withdrawn = { streak: { streak_reminder_hour: null }, week: { weekly_mail: false } } as const;
export const unsubscribe = async (db: Executor, id: number, kind: ReminderKind) =>
  db.table('users', `unsubscribe_${kind}`).where({ id, status: 'active' }).update(withdrawn[kind]);
