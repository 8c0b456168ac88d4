import type { WriteContext } from '../features/auth/identity.ts';
import type { contactStatuses, contactSubjects } from '../features/contact/contact-schemas.ts';
import type { ProjectRow } from '../features/projects/project-sql.ts';
import type { SessionRow } from '../features/study-sessions/session-sql.ts';
import type { UserRow } from '../features/users/user-repository.ts';

/** A project in events; a service passes the row that it returns anyway. */
export type ProjectFacts = Pick<
  ProjectRow,
  | 'id'
  | 'user_id'
  | 'name'
  | 'description'
  | 'status'
  | 'category'
  | 'target_hours'
  | 'rating_standard'
  | 'due_date'
  | 'weekly_goal_hours'
  | 'target_scope'
  | 'color'
  | 'image'
  | 'current_hours'
  | 'progress'
  | 'created_at'
  | 'updated_at'
>;
type OwnedProject = Pick<ProjectFacts, 'id' | 'user_id'>;
export type SharedProject = OwnedProject & { assigned_user_ids: readonly number[] };

export type AssignedPair = { project_id: number; user_id: number; owner_id: number };

export type SessionFacts = Pick<
  SessionRow,
  | 'id'
  | 'project_id'
  | 'user_id'
  | 'started_at'
  | 'ended_at'
  | 'duration_seconds'
  | 'note'
  | 'source'
  | 'time_zone'
  | 'auto_stopped'
  | 'created_at'
  | 'updated_at'
> & { owner_id: number };
export type RemovedSession = Pick<
  SessionFacts,
  'id' | 'project_id' | 'user_id' | 'owner_id' | 'started_at' | 'ended_at'
>;
export type SessionChange = { before: RemovedSession & Pick<SessionFacts, 'note'>; after: SessionFacts };

export type UserFacts = Pick<
  UserRow,
  | 'id'
  | 'username'
  | 'email'
  | 'display_name'
  | 'role'
  | 'status'
  | 'timezone'
  | 'day_start_hour'
  | 'rest_weekdays'
  | 'totp_enabled'
>;

export type ContactFacts = {
  id: number;
  subject: (typeof contactSubjects)[number];
  status: (typeof contactStatuses)[number];
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
  /** Its progress became 100 percent. */
  | { type: 'goal.reached'; projects: readonly ProjectFacts[] };

/** The pairs that one statement changed. `moved`: only their positions changed. */
type AssignmentEvent = {
  type: 'assignment.changed';
  change: 'added' | 'removed' | 'moved';
  pairs: readonly AssignedPair[];
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
  | 'group.members_changed'
  | 'contact.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'report_link.created'
  | 'report_link.revoked'
  | 'message.sent'
  | 'export.read'
>;

/** `by`: whose request it was; undefined for jobs, commands and callers that are not signed in. */
export type RecordedEvent = DomainEvent & { readonly by?: WriteContext | undefined };
