import { useEffect, useMemo, useState } from 'react';
import { ApiError } from './api.ts';

/** Whole seconds until a time by the device's clock; 0 once it has passed. */
export function useSecondsUntil(end: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (end <= Date.now()) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= end) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [end]);
  return Math.max(0, Math.ceil((end - now) / 1000));
}

/** Seconds until a retry is allowed after an error with Retry-After; otherwise 0. */
export function useCountdown(error: unknown): number {
  const end = useMemo(() => Date.now() + (error instanceof ApiError ? (error.retryAfter ?? 0) : 0) * 1000, [error]);
  return useSecondsUntil(end);
}
