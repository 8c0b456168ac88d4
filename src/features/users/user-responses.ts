import type { z } from 'zod';
import { itemTag } from '../../http/reply.ts';
import type { account } from '../own-account/preference-schemas.ts';
import type { UserWithPassword } from './new-account.ts';
import type { UserRow } from './user-repository.ts';
import type { createdUser, managedUser, user, userWithPassword } from './user-schemas.ts';

export function toUserResponse(row: UserRow): z.input<typeof user> {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    display_name: row.display_name,
    role: row.role,
    status: row.status,
    timezone: row.timezone,
    created_at: row.created_at,
    updated_at: row.updated_at,
    last_login_at: row.last_login_at,
    must_change_password: row.must_change_password,
    totp_enabled: row.totp_enabled,
  };
}

export function toManagedUserResponse(row: UserRow): z.input<typeof managedUser> {
  return { ...toUserResponse(row), has_password: row.has_password, etag: itemTag(row.row_version) };
}

export function toUserWithPasswordResponse({
  user: row,
  one_time_password,
}: UserWithPassword): z.input<typeof userWithPassword> {
  return { ...toManagedUserResponse(row), ...(one_time_password !== undefined && { one_time_password }) };
}

export function toCreatedUserResponse(created: UserWithPassword): z.input<typeof createdUser> {
  return { ...toUserWithPasswordResponse(created), ...created.invitation };
}

export function toAccountResponse(row: UserRow): z.input<typeof account> {
  return {
    ...toUserResponse(row),
    timezone_chosen: row.timezone_chosen,
    locale: row.locale,
    week_start: row.week_start,
    day_start_hour: row.day_start_hour,
    rest_weekdays: row.rest_weekdays,
    daily_goal_minutes: row.daily_goal_minutes,
  };
}
