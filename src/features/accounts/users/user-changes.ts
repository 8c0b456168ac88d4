import type { UserFields } from './user-repository.ts';

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
