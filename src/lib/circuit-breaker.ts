import { UnavailableError } from '../texts/errors.ts';

type Options = {
  /** How long calls are refused after a failure. */
  seconds: number;
  /** Whether an error means that the service is down, and not that it has refused a call. */
  isOutage: (error: unknown) => boolean;
  /** The key of the message of a refused call. */
  message: ConstructorParameters<typeof UnavailableError>[0];
  now?: (() => number) | undefined;
};

/**
 * Calls of another service: after one that failed, further ones are refused at once for some seconds with UnavailableError, instead
 * of waiting for their timeout; then one tries the service again, while others are still refused.
 */
export function createCircuitBreaker({ seconds, isOutage, message, now = () => performance.now() }: Options) {
  let refusedUntil: number | undefined;
  let isTrying = false;

  return async function run<T>(call: () => Promise<T>): Promise<T> {
    const isTrial = refusedUntil !== undefined;
    if (refusedUntil !== undefined && (isTrying || now() < refusedUntil)) throw new UnavailableError(message);
    isTrying ||= isTrial;
    try {
      const result = await call();
      refusedUntil = undefined;
      return result;
    } catch (error) {
      refusedUntil = isOutage(error) ? now() + seconds * 1000 : undefined;
      throw error;
    } finally {
      if (isTrial) isTrying = false;
    }
  };
}
