import { UnavailableError } from '../texts/errors.ts';

/** `draining`: the process has been asked to stop and finishes its open requests. */
export type Lifecycle = { draining: boolean };

/** Called between the steps of work that may take longer than a shutdown. Throws UnavailableError once the process stops. */
export function assertNotStopping({ draining }: Lifecycle): void {
  if (draining) throw new UnavailableError('import_interrupted');
}
