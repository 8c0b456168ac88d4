import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../lib/project-root.ts';
import { achievementNames } from './achievement-catalogue.ts';

export function readIcons(): ReadonlyMap<string, Buffer> {
  const files = achievementNames.map((name) => `${name}.svg`);
  return new Map(files.map((file) => [file, readFileSync(path.join(projectRoot, 'assets/achievements', file))]));
}

/** Any site may embed them and cache them for a month; an SVG that is opened as a page is sandboxed. */
export const iconHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=2592000',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;
