import type { Logger } from './logger.ts';

export type Origin = {
  readonly request_id: string;
  readonly trace_id?: string | undefined;
  readonly address: string;
};

export type Source = { readonly id?: number | undefined; readonly origin?: Origin | undefined };

const levels = {
  sign_in: 'info',
  sign_in_failed: 'warn',
  password_check_failed: 'warn',
  rate_limited: 'warn',
  access_denied: 'warn',
  identity_linked: 'info',
  identity_unlinked: 'info',
  sign_in_ended: 'info',
  refresh_token_reused: 'warn',
  password_changed: 'info',
  password_reset: 'info',
  account_link_created: 'info',
  password_set_by_link: 'info',
  user_created: 'info',
  user_deleted: 'info',
  role_changed: 'info',
  status_changed: 'info',
  second_factor_enabled: 'info',
  second_factor_disabled: 'info',
  second_factor_reset: 'info',
  recovery_code_used: 'warn',
  personal_token_created: 'info',
  report_link_created: 'info',
  report_link_revoked: 'info',
  personal_token_revoked: 'info',
  calendar_address_created: 'info',
  calendar_address_revoked: 'info',
  records_exported: 'info',
  personal_export_requested: 'info',
  personal_export_downloaded: 'info',
  contact_requests_exported: 'info',
  progress_exported: 'info',
  record_changed_by_administrator: 'info',
  record_deleted_by_administrator: 'info',
} as const;
export type SecurityEvent = keyof typeof levels;

/** Never passwords, tokens, e-mail addresses or text that a user wrote. */
export type EventDetails = Readonly<Record<string, string | number | null | undefined>>;

export type SecurityLog = ReturnType<typeof createSecurityLog>;

/** Inside a transaction, call it in `afterCommit`. */
export function createSecurityLog(logger: Logger) {
  return {
    note(event: SecurityEvent, { id, origin }: Source, details: EventDetails = {}): void {
      const { request_id: request, trace_id: trace, address } = origin ?? {};
      const line = { event, user: id, request, trace, address, ...details };
      logger[levels[event]](line, 'security event');
    },
  };
}
