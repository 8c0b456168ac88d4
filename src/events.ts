/** A project in events; a service passes the row that it returns anyway. */
export type ProjectFacts = {
  id: number;
  user_id: number;
  name: string;
  description: string;
  status: 'active' | 'paused' | 'completed';
  category: 'academic' | 'skill' | 'hobby' | 'other';
  target_hours: number;
  rating_standard: 'excellent' | 'good' | 'normal';
  due_date: string | null;
  weekly_goal_hours: number | null;
  target_scope: 'shared' | 'each';
  color: number;
  image: string | null;
  current_hours: number;
  progress: number;
  created_at: string;
  updated_at: string;
};
type OwnedProject = Pick<ProjectFacts, 'id' | 'user_id'>;
type SharedProject = OwnedProject & { assigned_user_ids: readonly number[] };

/** Users whose assignments to a project changed. */
export type AssignedUsers = { project_id: number; owner_id: number; user_ids: readonly number[] };

export type SessionFacts = {
  id: number;
  project_id: number;
  user_id: number;
  /** The owner of the project. */
  owner_id: number;
  started_at: string;
  ended_at: string | null;
  duration_seconds: number;
  note: string;
  tags: string[];
  source: 'timer' | 'manual';
  time_zone: string;
  auto_stopped: boolean;
  created_at: string;
  updated_at: string;
};
type RemovedSession = Pick<SessionFacts, 'id' | 'project_id' | 'user_id' | 'owner_id' | 'started_at' | 'ended_at'>;
export type SessionChange = { before: RemovedSession & Pick<SessionFacts, 'note' | 'tags'>; after: SessionFacts };

export type UserFacts = {
  id: number;
  username: string;
  email: string;
  display_name: string;
  role: 'admin' | 'user';
  status: 'active' | 'inactive';
  admin_scope: 'all' | 'groups';
  admin_group_ids: readonly number[];
  timezone: string;
  day_start_hour: number;
  rest_weekdays: number[];
  totp_enabled: boolean;
};

export type ContactFacts = {
  id: number;
  subject: 'account_registration' | 'password_reset' | 'technical_support' | 'feature_request' | 'other';
  status: 'pending' | 'reviewed' | 'resolved';
  admin_note: string | null;
  user_id: number | null;
  handled_by: number | null;
  created_at: string;
  updated_at: string;
};

type TokenFacts = { id: number; user_id: number; name: string; scopes: readonly string[] };
type WebhookFacts = {
  id: number;
  url: string;
  events: readonly string[];
  active: boolean;
  previous_expires_at: string | null;
};
type ReportLinkFacts = { id: number; user_id: number; first_day: string; last_day: string; expires_at: string };
type TermFacts = { id: number; name: string; first_day: string; last_day: string };
type SchoolDayFacts = TermFacts & { kind: 'off' | 'school_day'; group_id: number | null };
/** Without the reason, which may be about health. */
export type DayOffFacts = { id: number; user_id: number; first_day: string; last_day: string };
/** Null: it did not exist, or exists no more. */
type Written<Facts> = { before: Facts | null; after: Facts | null };
type Changed<Facts> = { before: Facts; after: Facts };

type ProjectEvent =
  | { type: 'project.created'; project: ProjectFacts }
  /** `before`: at least the changed fields. */
  | {
      type: 'project.updated';
      before: Partial<ProjectFacts>;
      project: ProjectFacts;
      assigned_user_ids: readonly number[];
    }
  /** Moved to the trash; the assignments were removed. */
  | { type: 'project.deleted'; project: OwnedProject; deleted_at: string; assigned_user_ids: readonly number[] }
  | { type: 'project.restored'; project: ProjectFacts; deleted_at: string }
  /** Removed without a trace: an undone import had created them. */
  | { type: 'project.removed'; projects: readonly SharedProject[] }
  /** All together reached its target, or if each is to reach it, this user did. */
  | { type: 'goal.reached'; project: ProjectFacts; user_id: number | null };

/** What one statement changed, an entry per project. `moved`: only their positions changed. */
type AssignmentEvent = {
  type: 'assignment.changed';
  change: 'added' | 'removed' | 'moved';
  projects: readonly AssignedUsers[];
};

type SessionEvent =
  | { type: 'session.created'; sessions: readonly SessionFacts[] }
  | { type: 'session.updated'; changes: readonly SessionChange[] }
  /** `announced` is false when an undone import deletes records for which webhooks get no event each. */
  | { type: 'session.deleted'; sessions: readonly RemovedSession[]; announced: boolean }
  /** A finished import, instead of an event per record. */
  | {
      type: 'session.imported';
      import_id: number;
      user_id: number;
      sessions: number;
      projects: readonly OwnedProject[];
    }
  /** In all records of the user that had the tag; `owner_ids` own their projects. */
  | { type: 'tag.changed'; user_id: number; owner_ids: readonly number[] }
  /** By a job; what a record earns by itself follows from the event of the record. */
  | { type: 'achievement.awarded'; user_ids: readonly number[] };

type UserEvent =
  | { type: 'user.created'; users: readonly UserFacts[] }
  | ({ type: 'user.updated' } & Changed<UserFacts>)
  /** `shared_with`: owners and assigned users of the projects that were assigned to the user. */
  | { type: 'user.deleted'; before: UserFacts; deleted_at: string; shared_with: readonly number[] }
  | { type: 'user.password_changed'; user_id: number }
  | { type: 'user.second_factor_changed'; user_id: number; enabled: boolean }
  | { type: 'user.identity_unlinked'; user_id: number }
  | { type: 'link.created'; user_id: number; purpose: string }
  | { type: 'token.created'; token: TokenFacts }
  | { type: 'token.revoked'; tokens: readonly TokenFacts[] };

type AdministrationEvent =
  | { type: 'group.created'; group: { id: number; name: string } }
  | { type: 'group.renamed'; id: number; before: string; after: string }
  | { type: 'group.deleted'; group: { id: number; name: string } }
  | { type: 'group.members_changed'; id: number; change: 'added' | 'removed'; user_ids: readonly number[] }
  | { type: 'contact.created'; request: ContactFacts }
  | { type: 'contact.updated'; changes: readonly Changed<ContactFacts>[] }
  | { type: 'contact.deleted'; requests: readonly ContactFacts[] }
  | { type: 'webhook.created'; webhook: WebhookFacts }
  | ({ type: 'webhook.updated' } & Changed<WebhookFacts>)
  | { type: 'webhook.deleted'; webhook: WebhookFacts }
  | { type: 'report_link.created'; link: ReportLinkFacts }
  | { type: 'report_link.revoked'; link: ReportLinkFacts }
  | ({ type: 'term.changed' } & Written<TermFacts>)
  | { type: 'school_days.changed'; changes: readonly Written<SchoolDayFacts>[] }
  | ({ type: 'days_off.changed'; user_id: number } & Written<DayOffFacts>)
  /** Written, changed or removed; without the text, which is for teachers only. */
  | { type: 'student_note.changed'; user_id: number }
  | { type: 'message.sent'; subject: string; user_ids: readonly number[] }
  | { type: 'export.read'; filter: object };

/**
 * What a service changed. The audit log, webhooks, deletions for sync, list versions and live updates are derived from it. Writes
 * past the services, such as those of psql, are no events.
 */
export type DomainEvent = ProjectEvent | AssignmentEvent | SessionEvent | UserEvent | AdministrationEvent;

/** A projection names the types from which nothing follows, so that the compiler reports one about which nobody has decided. */
export type EventOf<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>;

/** Events from which only entries of the audit log follow. */
export type AuditOnlyEvent = EventOf<
  | 'user.created'
  | 'user.password_changed'
  | 'user.second_factor_changed'
  | 'user.identity_unlinked'
  | 'link.created'
  | 'token.created'
  | 'token.revoked'
  | 'group.created'
  | 'group.renamed'
  | 'group.deleted'
  | 'contact.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'report_link.created'
  | 'report_link.revoked'
  | 'term.changed'
  | 'student_note.changed'
  | 'message.sent'
  | 'export.read'
>;
