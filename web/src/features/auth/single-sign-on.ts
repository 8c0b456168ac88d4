import { api } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { tabStorage } from '../../lib/storage.ts';

/** Only the provider signs in, so there are no passwords to set. */
export const passwordsAreOff = pageMeta('password-sign-in') === 'off';

const key = 'studytrack.return';
const keepKey = 'studytrack.keep';

/** Leaves for the identity provider, which sends the browser back to its own page. */
export async function beginSingleSignOn(keepSignedIn: boolean): Promise<void> {
  const { data } = await api.post('/api/auth/browser/single-sign-on', { body: {} });
  tabStorage.write(key, location.pathname + location.search);
  tabStorage.write(keepKey, keepSignedIn);
  location.assign(data.url);
}

/** Whether the person wanted to stay signed in when they left. */
export const wasToKeep = (): boolean => tabStorage.read(keepKey) === true;

/** The page that was open before. */
export function takeReturnPath(): string {
  const path = tabStorage.read(key);
  tabStorage.write(key, undefined);
  tabStorage.write(keepKey, undefined);
  return typeof path !== 'string' || path.startsWith('/sign-in') ? '/' : path;
}
