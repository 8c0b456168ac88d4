import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import { type Account, session } from '../../lib/session.ts';

const fields = [
  'display_name',
  'email',
  'timezone',
  'week_start',
  'day_start_hour',
  'rest_weekdays',
  'daily_goal_minutes',
  'weekly_goal_minutes',
] as const;
export type Profile = Pick<Account, (typeof fields)[number]>;

/** The account fields that the form edits. */
export const profileOf = (account: Profile): Profile =>
  Object.fromEntries(fields.map((field) => [field, account[field]])) as Profile; // exactly these fields

async function readProfile() {
  const { data, etag } = await api.get('/api/auth/me');
  return { fields: profileOf(data), etag, account: data };
}

/** Reads the profile again and updates the session with it. */
export async function refreshProfile(): Promise<Version<Profile>> {
  const { account, ...version } = await readProfile();
  session.update(account);
  return version;
}

type SavedProfile = Pick<Schemas['UpdatedUser'], 'pending_email'>;

/**
 * Returns false if the profile differs from `base`: the operation takes no If-Match, so the profile is read just
 * before. Changing the e-mail address requires the password.
 */
export async function writeProfile(
  fields: Profile,
  base: Version<Profile>,
  password: string,
): Promise<SavedProfile | false> {
  const now = await readProfile();
  if (JSON.stringify(now.fields) !== JSON.stringify(base.fields)) return false;
  const body = { ...fields, ...(password !== '' && { current_password: password }) };
  const { pending_email, ...account } = (await api.put('/api/auth/me', { body, ifMatch: false })).data;
  session.update(account);
  await changed('stats');
  return { ...(pending_email !== undefined && { pending_email }) };
}
