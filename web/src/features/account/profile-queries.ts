import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import { type Account, session } from '../../lib/session.ts';

export type Profile = Pick<
  Account,
  'display_name' | 'email' | 'timezone' | 'week_start' | 'day_start_hour' | 'rest_weekdays' | 'daily_goal_minutes'
>;

/** What the form changes of an account. */
export function profileOf(account: Profile): Profile {
  const { display_name, email, timezone, week_start, day_start_hour, rest_weekdays, daily_goal_minutes } = account;
  return { display_name, email, timezone, week_start, day_start_hour, rest_weekdays, daily_goal_minutes };
}

async function readProfile() {
  const { data, etag } = await api.get('/api/auth/me');
  return { fields: profileOf(data), etag, account: data };
}

/** The profile as it is now, also for the rest of the page. */
export async function showProfile(): Promise<Version<Profile>> {
  const { account, ...version } = await readProfile();
  session.update(account);
  return version;
}

type Written = Pick<Schemas['UpdatedUser'], 'pending_email'>;

/**
 * False when the profile is no longer as in `on`: the operation takes no If-Match, so it is read just before. A new e-mail
 * address needs the password.
 */
export async function writeProfile(fields: Profile, on: Version<Profile>, password: string): Promise<Written | false> {
  const now = await readProfile();
  if (JSON.stringify(now.fields) !== JSON.stringify(on.fields)) return false;
  const body = { ...fields, ...(password !== '' && { current_password: password }) };
  const { pending_email, ...account } = (await api.put('/api/auth/me', { body, ifMatch: false })).data;
  session.update(account);
  await changed('stats');
  return { ...(pending_email !== undefined && { pending_email }) };
}
