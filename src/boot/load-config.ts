import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { settingsSchema } from '../config/settings.ts';
import { nearestName } from '../lib/parse-options.ts';
import { printError } from './start-error.ts';

export function misspelledSettings(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const unknown = Object.keys(environment).filter((name) => /^[A-Z_]{6,}$/.test(name) && !known.includes(name));
  return unknown.flatMap((name) => {
    const setting = nearestName(name, known);
    return setting === undefined ? [] : [`${name} is not a setting and is ignored; did you mean ${setting}?`];
  });
}

const names = Object.keys(settingsSchema.shape);

/** Throws ConfigError. `given` are options of the command line, which take precedence. */
export function loadConfig(given: NodeJS.ProcessEnv = {}): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const environment = { ...process.env, ...given };
  if (cluster.isPrimary) {
    const known = [...names, ...names.map(fileSetting)];
    for (const line of misspelledSettings(environment, known)) printError(line);
  }
  return readConfig({ ...environment, ...readFiles(environment) });
}

const fileSetting = (name: string) => `${name}_FILE`;

/** The settings that are named by files, such as Docker and systemd provide for secrets: JWT_SECRET_FILE names one with JWT_SECRET. */
function readFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isUnset = (name: string) => (environment[name] ?? '') === '';
  const fromFiles = names.filter((name) => isUnset(name) && !isUnset(fileSetting(name)));
  return Object.fromEntries(fromFiles.map((name) => [name, readSetting(fileSetting(name), environment)]));
}

function readSetting(name: string, environment: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(environment[name] ?? '', 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : error}`]);
  }
}
