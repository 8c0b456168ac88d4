import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../project-root.ts';

/** npm puts installed packages there; a checkout and the image are elsewhere. */
const isInstalled = path.basename(path.dirname(projectRoot)) === 'node_modules';

/**
 * Where the service keeps its data without a setting: in a checkout in the present folder; an installed one may be started from any,
 * and keeps them where programs of a user do.
 */
export function defaultFolder(
  name: 'data' | 'uploads',
  installed = isInstalled,
  // biome-ignore lint/style/noProcessEnv: these are no settings of the service
  environment = process.env,
): string {
  return installed ? path.join(userFolder(environment), 'studytrack', name) : `./${name}`;
}

function userFolder({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Application Support');
  return XDG_DATA_HOME && path.isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : path.join(os.homedir(), '.local/share');
}
