import { useEffect, useState } from 'react';

/** Difference in milliseconds between wall clock and monotonic clock that indicates sleep or a changed clock. */
const tolerance = 2000;

/**
 * The current time, updated every second while `isRunning`. `onJump` is called when the machine slept or its clock was
 * set: values derived from earlier readings are stale.
 */
export function useNow(isRunning: boolean, onJump: () => void): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    let last = { wall: Date.now(), monotonic: performance.now() };
    const tick = () => {
      const next = { wall: Date.now(), monotonic: performance.now() };
      const drift = Math.abs(next.wall - last.wall - (next.monotonic - last.monotonic)) > tolerance;
      if (drift || next.wall - last.wall > 10 * tolerance) onJump();
      last = next;
      setNow(next.wall);
    };
    const timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [isRunning, onJump]);
  return now;
}
