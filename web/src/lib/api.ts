import { type components, createClient, isApiError } from '../../../client/src/index.ts';
import { withLock } from './lock.ts';
import { rest } from './rest.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';

export { ApiError, isApiError } from '../../../client/src/index.ts';
export type Schemas = components['schemas'];

/** The service, on behalf of the signed-in user. An expired token is renewed by the cookie, once for all tabs. */
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

/** A token by the cookie; undefined when the sign-in has ended. One tab asks, the others get what it was given. */
async function renew(refused: string | undefined): Promise<string | undefined> {
  if (session.get().state === 'expired') return undefined; // until its user signs in again
  return withLock('renew', async () => {
    if (session.token() !== refused) return session.token(); // another call or tab was quicker
    try {
      const { data } = await api.post('/api/auth/browser/refresh', { body: {} });
      session.enter({ token: data.token, account: data.user });
      rest.end();
      await delivered();
    } catch (error) {
      if (!isApiError(error, 'UNAUTHORIZED')) throw error; // the network, or the service rests: nothing has changed
      session.expire();
    }
    return session.token();
  });
}

/** Time for other tabs to take the token before the lock lets them ask. */
const delivered = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Between tries to reach a service that does not respond. */
const patience = 10_000;
let nextTry: ReturnType<typeof setTimeout> | undefined;

/** Finds out at the start of the page whether somebody is signed in, and again until the service responds to that. */
export async function resume(): Promise<void> {
  clearTimeout(nextTry);
  if (!session.mayBeSignedIn()) return session.expire();
  await renew(undefined).catch((error: unknown) => {
    session.lose();
    if (!rest.begin(error)) nextTry = setTimeout(resumeAgain, patience);
  });
}

function resumeAgain(): void {
  const { state } = session.get();
  if (state === 'offline' || state === 'unreachable') void resume();
}
window.addEventListener('online', resumeAgain);
rest.onTry(resumeAgain);

/** Reads the own account anew, after a change of it. */
export async function readAccount(): Promise<void> {
  const { data } = await api.get('/api/auth/me');
  session.update(data);
}
