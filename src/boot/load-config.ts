import cluster from 'node:cluster';
import { type Config, readConfig, settingsSchema } from '../config.ts';
import { misspelledSettings } from './misspelled-settings.ts';
import { printError } from './start-error.ts';

/** Reads the environment, completed by a `.env` in the working directory. Throws ConfigError. */
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
