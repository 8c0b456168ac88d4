import './lib/settings.ts';
import './ui/tokens.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App, Frame } from './app.tsx';
import { resume } from './lib/api.ts';
import { session } from './lib/session.ts';
import { pattern } from './routes.ts';

void resume(); // while the rest is drawn
if (session.mayBeSignedIn()) preload();

/** What a user sees first is loaded while the service finds out who they are. */
function preload(): void {
  const parts = [Frame.load()];
  if (location.pathname === pattern('today')) parts.push(import('./features/today/today-page.tsx'));
  void Promise.all(parts).catch(() => undefined); // who needs them tries again, and reports it
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
