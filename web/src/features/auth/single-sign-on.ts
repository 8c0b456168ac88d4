import { api } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';

/** Only the provider signs in, so there are no passwords to set. */
export const passwordsAreOff = pageMeta('password-sign-in') === 'off';

const key = 'studytrack.return';
const keepKey = 'studytrack.keep';

/** Leaves for the identity provider, which sends the browser back to its own page. */
export async function beginSingleSignOn(keepSignedIn: boolean): Promise<void> {
  const { data } = await api.post('/api/auth/browser/single-sign-on', { body: {} });
  sessionStorage.setItem(key, location.pathname + location.search);
  sessionStorage.setItem(keepKey, String(keepSignedIn));
  location.assign(data.url);
}

/** Whether the person wanted to stay signed in when they left. */
export const wasToKeep = (): boolean => sessionStorage.getItem(keepKey) === 'true';

/** The page that was open before. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(key) ?? '/';
  sessionStorage.removeItem(key);
  sessionStorage.removeItem(keepKey);
  return path.startsWith('/sign-in') ? '/' : path;
}
