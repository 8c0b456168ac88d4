/** The present moment; injected, so that a test can choose it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export type Window = { since: Date; until: Date };

/**
 * What counts for a limit over so many milliseconds. It has an end, too: what was stamped later than clocks of several
 * processes differ comes from a clock that was wrong and has been set right, and would otherwise count until its day comes.
 */
export function windowAround(now: Date, milliseconds: number): Window {
  return { since: new Date(now.getTime() - milliseconds), until: new Date(now.getTime() + milliseconds) };
}
