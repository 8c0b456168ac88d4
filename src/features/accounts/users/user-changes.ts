import type { TimeZones } from '../../../db/time-zones.ts';
import type { ZoneNames } from '../../../http/time-fields.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { SignInService } from '../sign-ins/sign-in-service.ts';
import type { Leaving } from './leaving.ts';
import type { UserFields, UserRow } from './user-repository.ts';
import * as users from './user-repository.ts';

type RightsPatch = Partial<Pick<UserFields, 'role' | 'status' | 'admin_scope' | 'admin_group_ids'>>;

export const changesRights = ({ role, status, admin_scope, admin_group_ids }: RightsPatch): boolean =>
  [role, status, admin_scope, admin_group_ids].some((value) => value !== undefined);

export const losesWholeSchool = ({ role, status, admin_scope }: RightsPatch): boolean =>
  role === 'user' || status === 'inactive' || admin_scope === 'groups';

type Fields = readonly (keyof UserFields)[];

/** What may make streaks of existing records longer. */
export const calendar: Fields = ['timezone', 'day_start_hour', 'rest_weekdays'];

export function differs(before: UserFields, after: UserFields, fields = Object.keys(after) as Fields): boolean {
  return fields.some((field) => String(before[field]) !== String(after[field]));
}

/**
 * A client that sends back what it read may have changed only one of the two names: then the changed one counts. Throws
 * ValidationError if both name different new zones.
 */
export function changedTimeZone(before: string, { timezone = before, time_zone = before }: ZoneNames): string {
  if (timezone !== before && time_zone !== before && timezone !== time_zone)
    throw ValidationError.of('time_zone', 'time_zones_differ');
  return timezone === before ? time_zone : timezone;
}

/** Throws ValidationError for a name that the database does not know. */
export async function requireZones(timeZones: Pick<TimeZones, 'require'>, given: ZoneNames): Promise<void> {
  for (const name of ['timezone', 'time_zone'] as const)
    if (given[name] !== undefined) await timeZones.require(given[name], name);
}

/** Locks a user before a change; `losesAdmin`: they will no longer be an active administrator of the whole school, if they were. */
export async function lockUser(tx: Tx, id: number, losesAdmin: boolean): Promise<UserRow> {
  const { user, otherAdmins } = await users.lock(tx, id, losesAdmin);
  if (user === undefined) throw new NotFoundError('user_not_found');
  const isAdmin = user.role === 'admin' && user.admin_scope === 'all' && user.status === 'active';
  if (losesAdmin && isAdmin && otherAdmins === 0) throw new ConflictError('LAST_ADMIN', 'last_admin');
  return user;
}

const isNarrowed = (before: Pick<UserRow, 'admin_scope'>, after: UserRow): boolean =>
  before.admin_scope === 'all' && after.admin_scope === 'groups';

export type EndAccessOptions = { signIns: SignInService; leaving: Leaving };

/** Ends what a user who is deactivated or no longer an administrator, or one limited to groups, can no longer do. */
export function createEndAccess({ signIns, leaving }: EndAccessOptions) {
  return async (tx: Tx, { id, ...before }: UserRow, after: UserRow): Promise<void> => {
    const isDeactivated = before.status === 'active' && after.status === 'inactive';
    const isDemoted = before.role === 'admin' && (after.role === 'user' || isNarrowed(before, after));
    if (!isDeactivated && !isDemoted) return;
    await leaving.endAccess(tx, id, { isDeactivated, isDemoted });
    if (isDeactivated) await signIns.endAll(tx, id); // a reactivated user must sign in again
  };
}
