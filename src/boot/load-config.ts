import cluster from 'node:cluster';
import { type Config, readConfig } from '../config.ts';
import { settingsSchema } from '../settings.ts';
import { misspelledSettings } from './misspelled-settings.ts';
import { printError } from './start-error.ts';

export function loadConfig(): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  if (cluster.isPrimary) {
    for (const line of misspelledSettings(process.env, Object.keys(settingsSchema.shape))) printError(line);
  }
  return readConfig(process.env);
}
