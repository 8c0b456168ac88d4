import { useSyncExternalStore } from 'react';

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (url: string) => string };
};

/** Lets the page load first. */
const delay = 5000;
/** The shortest time between update checks, which run when the tab becomes visible. */
const updateInterval = 15 * 60_000;
const listeners = new Set<() => void>();
let isOutdated = false;
let isStarted = false;

/** Registers the service worker, so that the page opens offline. Not available on plain HTTP. */
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
  setTimeout(() => void register(container).catch(() => undefined), delay); // the page works without it
}

async function register(container: ServiceWorkerContainer): Promise<void> {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }; // not yet in the DOM types
  const policy = trustedTypes?.createPolicy('studytrack', { createScriptURL: () => '/sw.js' });
  const registration = await container.register(policy?.createScriptURL('') ?? '/sw.js');
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < updateInterval) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined); // retried later
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a newer version than this tab's was installed. */
export const useOutdated = () => useSyncExternalStore(subscribe, () => isOutdated);
