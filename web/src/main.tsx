import './early.ts'; // a file of its own, which runs before this one is there
import './ui/tokens.css';
import './ui/hues.css';
import './ui/base.css';
import './ui/top-layer.css';
import './ui/classes.css';
import './ui/shell.css';
import { createRoot } from 'react-dom/client';
import { App, Frame } from './app.tsx';
import { withTexts } from './lib/language-files.ts';
import { session } from './lib/session.ts';
import { settings } from './lib/settings.ts';
import { keepTextsCurrent } from './lib/translated-texts.ts';

if (session.mayBeSignedIn()) void Frame.load().catch(() => undefined); // the component retries and reports the error

function render(): void {
  const root = document.getElementById('app');
  if (root === null) return;
  keepTextsCurrent(document.body);
  createRoot(root).render(<App />);
}

void withTexts(settings.get().locale, render);
