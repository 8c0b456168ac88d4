import { useSyncExternalStore } from 'react';

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (url: string) => string };
};

/** Time for the page to load what it shows first. */
const delay = 5000;
/** A tab that stays open looks for a new version when it is looked at, so often at most. */
const updateEvery = 15 * 60_000;
const listeners = new Set<() => void>();
let isOutdated = false;
let isStarted = false;

/** Keeps the page on this device, so that it opens without a connection. On plain http browsers have no such thing. */
export function startWorker(): void {
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (isStarted || container === undefined || !import.meta.env.PROD) return;
  isStarted = true;
  let hadController = container.controller !== null;
  container.addEventListener('controllerchange', () => {
    if (hadController) isOutdated = true;
    hadController = true;
    for (const listener of listeners) listener();
  });
  setTimeout(() => void register(container).catch(() => undefined), delay); // without it the page works as before
}

async function register(container: ServiceWorkerContainer): Promise<void> {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }; // not yet in the types of the platform
  const policy = trustedTypes?.createPolicy('studytrack', { createScriptURL: () => '/sw.js' });
  const registration = await container.register(policy?.createScriptURL('') ?? '/sw.js');
  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < updateEvery) return;
    asked = Date.now();
    registration.update().catch(() => undefined); // at the next chance
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this tab shows an older version than the one that the service has now. */
export const useOutdated = () => useSyncExternalStore(subscribe, () => isOutdated);
