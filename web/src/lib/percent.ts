/** A share as it is shown: 100 % only when it is reached. */
export const shownPercent = (percent: number): number => (percent >= 100 ? 100 : Math.max(0, Math.min(99, percent)));
