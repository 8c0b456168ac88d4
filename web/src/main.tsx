import './lib/settings.ts';
import './ui/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { resume } from './lib/api.ts';

void resume(); // while the rest is drawn

const root = document.getElementById('app');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
