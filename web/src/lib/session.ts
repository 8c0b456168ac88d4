import { useSyncExternalStore } from 'react';
import type { components } from '../../../client/src/index.ts';
import { deviceStorage } from './storage.ts';

export type Account = components['schemas']['Account'];
export type SignedIn = { token: string; account: Account };
/**
 * `starting`: refreshing with the cookie; `unreachable`: the service did not respond; `offline`: nor did it, but the
 * account is stored on this device. `expired`: the page stays visible behind a sign-in dialog for the same user.
 * `mustSetUpFactor`: the service rejects other requests until a second factor is set up.
 */
type Session =
  | { state: 'starting' | 'unreachable' | 'out'; account?: undefined; mustSetUpFactor?: undefined }
  | { state: 'in' | 'offline' | 'expired'; account: Account; mustSetUpFactor?: boolean };

type Message = { signedIn: SignedIn } | { signedOut: true };

const hintKey = 'studytrack.signed-in';
const channel = new BroadcastChannel('studytrack.session');
const listeners = new Set<() => void>();
let current: Session = { state: 'starting' };
/** In memory only: never in storage that scripts could read later. */
let token: string | undefined;

function change(next: Session, nextToken: string | undefined): void {
  [current, token] = [next, nextToken];
  for (const listener of listeners) listener();
}

function accept({ token: next, account }: SignedIn): void {
  // Another user gets a fresh page, without the previous user's data.
  if (current.account !== undefined && current.account.id !== account.id) location.reload();
  else change({ state: 'in', account, mustSetUpFactor: current.mustSetUpFactor === true }, next);
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('signedIn' in data) accept(data.signedIn);
  else if (current.state !== 'starting') leave();
});

function leave(): void {
  storeAccount(undefined);
  change({ state: 'out' }, undefined);
}

/**
 * Stores that there may be a cookie, so that visitors without one send no refresh request. With `keepSignedIn` it
 * stores the account, so that the page opens offline. If storage is blocked, each page load sends a refresh request.
 */
function storeAccount(account: Account | undefined, keepSignedIn = storedAccount() !== undefined): void {
  deviceStorage.write(hintKey, account && (keepSignedIn ? account : null));
}

function storedAccount(): Account | undefined {
  const account = deviceStorage.read(hintKey);
  return typeof account === 'object' ? (account as Account) : undefined; // written above
}

function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(hintKey) !== null;
  } catch {
    return true;
  }
}

/** The signed-in user, synchronized between tabs. */
export const session = {
  get: () => current,
  token: () => token,
  mayBeSignedIn,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Accepts a sign-in and shares it with other tabs. */
  enter(signedIn: SignedIn, keepSignedIn?: boolean): void {
    storeAccount(signedIn.account, keepSignedIn);
    channel.postMessage({ signedIn } satisfies Message);
    accept(signedIn);
  },
  update(account: Account): void {
    if (token !== undefined) session.enter({ token, account });
  },
  /** Whether a second factor must be set up before anything else. */
  requireFactor(mustSetUpFactor: boolean): void {
    if (current.state === 'in') change({ ...current, mustSetUpFactor }, token);
  },
  /** The sign-in has expired; the page stays visible. */
  expire(): void {
    if (current.account === undefined) leave();
    else change({ state: 'expired', account: current.account }, undefined);
  },
  /** The first request failed. */
  setUnreachable(): void {
    const account = storedAccount();
    change(account === undefined ? { state: 'unreachable' } : { state: 'offline', account }, undefined);
  },
  /** Signs out here and in other tabs. */
  leave(): void {
    channel.postMessage({ signedOut: true } satisfies Message);
    leave();
  },
};

export const useSession = () => useSyncExternalStore(session.subscribe, session.get);

/** The account of the signed-in user, for pages that require one. */
export function useAccount(): Account {
  const { account } = useSession();
  if (account === undefined) throw new Error('not signed in');
  return account;
}

/** Whether the user is an administrator of some classes only, without the inbox, the activity log and whatever is for the whole school. */
export const useIsLimited = (): boolean => useAccount().admin_scope === 'groups';
