import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from './api.ts';
import { isOutage, outage } from './outage.ts';
import { session } from './session.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteError, onSuccess: outage.end }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Client errors are permanent, network and server errors may be temporary. During an outage, all queries wait for
      // the same retry.
      retry: (failures, error) => failures < 2 && !isOutage(error) && (!isApiError(error) || error.status >= 500),
      refetchOnWindowFocus: true,
    },
  },
});

/** Handles errors that concern every page. */
function noteError(error: Error): void {
  outage.begin(error);
  if (isApiError(error, 'OTP_SETUP_REQUIRED')) session.requireFactor(true);
}

// Queries pause while offline or signed out.
onlineManager.setEventListener((setOnline) => {
  const update = () => setOnline(navigator.onLine && session.get().state === 'in');
  update();
  window.addEventListener('online', update);
  window.addEventListener('offline', update);
  const unsubscribe = session.subscribe(update);
  return () => {
    window.removeEventListener('online', update);
    window.removeEventListener('offline', update);
    unsubscribe();
  };
});

outage.onTry(() => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
});
