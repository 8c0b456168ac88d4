import { resume } from './lib/api.ts';
import { session } from './lib/session.ts';

// While the application is still being loaded, which takes a second on a slow phone, the sign-in is restored and the code
// of the first page is loaded.
void resume();
if (session.mayBeSignedIn()) {
  const parts: Promise<unknown>[] = [import('./frame/frame.tsx')];
  if (location.pathname === '/') parts.push(import('./features/today/today-page.tsx'));
  void Promise.all(parts).catch(() => undefined); // the application retries and reports the error
}
