import { useEffect, useRef, useState } from 'react';

/** The least height of a row. */
export const rowHeight = 48;
/** How many rows are drawn at once. */
const step = 100;

/** How many rows of a long list are drawn: the first ones, and more when what stands for the rest comes into view. */
export function useDrawnRows(total: number) {
  const [most, setMost] = useState(step);
  const rest = useRef<HTMLDivElement>(null);
  const count = Math.min(most, total);
  useEffect(() => {
    if (rest.current === null || count === total) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setMost(count + step);
    });
    observer.observe(rest.current);
    return () => observer.disconnect();
  }, [count, total]);
  return {
    count,
    atLeast: (wanted: number) => setMost(Math.max(most, wanted)),
    rest: count < total && <div ref={rest} role="presentation" style={{ height: (total - count) * rowHeight }} />,
  };
}
