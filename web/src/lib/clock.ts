import { useEffect, useState } from 'react';

/** Milliseconds by which the two clocks of the machine may part before something has changed: sleep, or the wall clock set. */
const tolerance = 2000;

/**
 * The present moment, each second while `isRunning`. `onJump` is called when the machine slept or its clock was set: what
 * was computed from an earlier reading must be read again.
 */
export function useNow(isRunning: boolean, onJump: () => void): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    let last = { wall: Date.now(), steady: performance.now() };
    const tick = () => {
      const next = { wall: Date.now(), steady: performance.now() };
      const parted = Math.abs(next.wall - last.wall - (next.steady - last.steady)) > tolerance;
      if (parted || next.wall - last.wall > 10 * tolerance) onJump();
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
