import { existsSync } from 'node:fs';

// The same Chromium without its windows takes two thirds of the processor time.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const program = programs.find((path) => existsSync(path));
const quiet = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'];
const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Why tests that need a browser are left out. */
export const noBrowser = program === undefined && `needs ${programs.join(' or ')}`;

/** How to start it. */
export const browserOptions = { executablePath: program ?? '', args: [...quiet, ...offline] };
