export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export type Window = { since: Date; until: Date };

/** The window of a limit. Its end excludes timestamps of a clock that was ahead and has been corrected. */
export function windowAround(now: Date, milliseconds: number): Window {
  return { since: new Date(now.getTime() - milliseconds), until: new Date(now.getTime() + milliseconds) };
}
