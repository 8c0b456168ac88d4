import { existsSync } from 'node:fs';

// Chromium's headless shell takes two thirds of the processor time of Chromium.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const program = programs.find((path) => existsSync(path));
const quiet = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'];
const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Why tests that need a browser are skipped; false if there is one. */
export const noBrowser = program === undefined && `needs ${programs.join(' or ')}`;

/** Launch options. */
export const browserOptions = { executablePath: program ?? '', args: [...quiet, ...offline] };
