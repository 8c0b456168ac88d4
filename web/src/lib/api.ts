import { type components, createClient, isApiError } from '../../../client/src/index.ts';
import { withLock } from './lock.ts';
import { outage } from './outage.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';

export { ApiError, isApiError } from '../../../client/src/index.ts';
export type Schemas = components['schemas'];

/** The API client of the signed-in user. An expired token is refreshed with the cookie, once for all tabs. */
export const api = createClient({
  baseUrl: '',
  locale: () => settings.get().locale,
  token: session.token,
  renew: (refused) => renew(refused),
});

export type Credentials = { username: string; password: string; otp?: string; keep_signed_in: boolean };

export async function signIn(credentials: Credentials): Promise<void> {
  const { data } = await api.post('/api/auth/browser/sign-in', { body: credentials });
  session.enter({ token: data.token, account: data.user }, credentials.keep_signed_in);
}

export async function signOut(): Promise<void> {
  await api.post('/api/auth/browser/sign-out', { body: {} }).catch(() => undefined);
  session.leave();
}

/** Refreshes the token with the cookie; undefined if the sign-in has ended. One tab sends the request for all. */
async function renew(refused: string | undefined): Promise<string | undefined> {
  if (session.get().state === 'expired') return undefined; // until the user signs in again
  return withLock('renew', async () => {
    if (session.token() !== refused) return session.token(); // already refreshed by another call or tab
    try {
      const { data } = await api.post('/api/auth/browser/refresh', { body: {} });
      session.enter({ token: data.token, account: data.user });
      outage.end();
      await tokenDelivered();
    } catch (error) {
      if (!isApiError(error, 'UNAUTHORIZED')) throw error; // network failure or outage: still signed in
      session.expire();
    }
    return session.token();
  });
}

/** Lets other tabs receive the token before the lock is released. */
const tokenDelivered = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Between attempts to reach a service that does not respond. */
const retryMilliseconds = 10_000;
let nextTry: ReturnType<typeof setTimeout> | undefined;

/** Restores the sign-in when the page loads, and retries until the service responds. */
export async function resume(): Promise<void> {
  clearTimeout(nextTry);
  if (!session.mayBeSignedIn()) return session.expire();
  await renew(undefined).catch((error: unknown) => {
    session.setUnreachable();
    if (!outage.begin(error)) nextTry = setTimeout(resumeAgain, retryMilliseconds);
  });
}

function resumeAgain(): void {
  const { state } = session.get();
  if (state === 'offline' || state === 'unreachable') void resume();
}
window.addEventListener('online', resumeAgain);
outage.onTry(resumeAgain);

/** Refreshes the user's own account after a change. */
export async function readAccount(): Promise<void> {
  const { data } = await api.get('/api/auth/me');
  session.update(data);
}
