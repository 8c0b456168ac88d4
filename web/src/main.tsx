import './lib/settings.ts';
import './ui/tokens.css';
import './ui/hues.css';
import './ui/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App, Frame } from './app.tsx';
import { resume } from './lib/api.ts';
import { session } from './lib/session.ts';
import { pattern } from './routes.ts';

void resume(); // in parallel to rendering
if (session.mayBeSignedIn()) preload();

/** Loads the first page's code while the sign-in is being restored. */
function preload(): void {
  const parts = [Frame.load()];
  if (location.pathname === pattern('today')) parts.push(import('./features/today/today-page.tsx'));
  void Promise.all(parts).catch(() => undefined); // the component retries and reports the error
}

const root = document.getElementById('app');
if (root !== null)
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
