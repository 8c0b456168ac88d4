import { type Config, readConfig } from '../config.ts';

/** Reads the environment, completed by a `.env` in the working directory. Throws ConfigError. */
export function loadConfig(): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return readConfig(process.env);
}
