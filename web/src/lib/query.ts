import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from './api.ts';
import { isResting, rest } from './rest.ts';
import { session } from './session.ts';

/** What the service said, and how long it is taken for true. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: takeNotice, onSuccess: rest.end }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the service refuses it will refuse again; what the network failed is worth another try. While the service
      // rests, all wait for the same moment.
      retry: (failures, error) => failures < 2 && !isResting(error) && (!isApiError(error) || error.status >= 500),
      refetchOnWindowFocus: true,
    },
  },
});

/** Of failures that concern every page. */
function takeNotice(error: Error): void {
  rest.begin(error);
  if (isApiError(error, 'OTP_SETUP_REQUIRED')) session.requireFactor(true);
}

// Without a network or a sign-in queries wait, and are asked again when both are back.
onlineManager.setEventListener((setOnline) => {
  const tell = () => setOnline(navigator.onLine && session.get().state === 'in');
  tell();
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  const unsubscribe = session.subscribe(tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
    unsubscribe();
  };
});

rest.onTry(() => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
});
