import { useSyncExternalStore } from 'react';
import type { components } from '../../../client/src/index.ts';

export type Account = components['schemas']['Account'];
export type SignedIn = { token: string; account: Account };
/**
 * `starting`: the cookie is being tried; `unreachable`: the service did not respond to that; `offline`: nor did it, and this
 * device knows who is signed in. `expired`: the page still shows what it showed, and the same person signs in over it.
 * `mustSetUpFactor`: the service accepts nothing else before there is a second factor.
 */
export type Session =
  | { state: 'starting' | 'unreachable' | 'out'; account?: undefined; mustSetUpFactor?: undefined }
  | { state: 'in' | 'offline' | 'expired'; account: Account; mustSetUpFactor?: boolean };

type Message = { signedIn: SignedIn } | { signedOut: true };

const hintKey = 'studytrack.signed-in';
const channel = new BroadcastChannel('studytrack.session');
const listeners = new Set<() => void>();
let current: Session = { state: 'starting' };
/** In memory only: no storage that a script could read later has it. */
let token: string | undefined;

function change(next: Session, nextToken: string | undefined): void {
  [current, token] = [next, nextToken];
  for (const listener of listeners) listener();
}

function accept({ token: next, account }: SignedIn): void {
  // Another person begins with a page of their own: nothing of the one before stays.
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
 * Stores that there may be a cookie, so that visitors without one send no refresh request. On a device that keeps people
 * signed in it stores the account, so that the page opens for them without a connection.
 */
function storeAccount(account: Account | undefined, isKept = storedAccount() !== undefined): void {
  try {
    if (account === undefined) localStorage.removeItem(hintKey);
    else localStorage.setItem(hintKey, JSON.stringify(isKept ? account : null));
  } catch {
    // storage is forbidden: each load asks
  }
}

function storedAccount(): Account | undefined {
  try {
    const account: unknown = JSON.parse(localStorage.getItem(hintKey) ?? 'null');
    return typeof account === 'object' && account !== null ? (account as Account) : undefined; // written above
  } catch {
    return undefined;
  }
}

function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(hintKey) !== null;
  } catch {
    return true;
  }
}

/** Who is signed in, in this tab and all others. */
export const session = {
  get: () => current,
  token: () => token,
  mayBeSignedIn,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Tokens from the service; other tabs get them too. `isKept`: the device keeps its user signed in. */
  enter(signedIn: SignedIn, isKept?: boolean): void {
    storeAccount(signedIn.account, isKept);
    channel.postMessage({ signedIn } satisfies Message);
    accept(signedIn);
  },
  /** The account was changed here. */
  update(account: Account): void {
    if (token !== undefined) session.enter({ token, account });
  },
  /** The service accepts nothing before there is a second factor, or there is one now. */
  requireFactor(mustSetUpFactor: boolean): void {
    if (current.state === 'in') change({ ...current, mustSetUpFactor }, token);
  },
  /** The service no longer accepts the sign-in. The page stays as it is. */
  expire(): void {
    if (current.account === undefined) leave();
    else change({ state: 'expired', account: current.account }, undefined);
  },
  /** The first request failed, so nothing is known. */
  lose(): void {
    const account = storedAccount();
    change(account === undefined ? { state: 'unreachable' } : { state: 'offline', account }, undefined);
  },
  /** Signed out on purpose: here and in other tabs. */
  leave(): void {
    channel.postMessage({ signedOut: true } satisfies Message);
    leave();
  },
};

export const useSession = () => useSyncExternalStore(session.subscribe, session.get);

/** The account of the signed-in user, for pages that require one. */
export function useAccount(): Account {
  const { account } = useSession();
  if (account === undefined) throw new Error('nobody is signed in');
  return account;
}
