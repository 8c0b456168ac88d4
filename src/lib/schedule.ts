/** Recurring moments: the latest one at or before a moment, and the first one after it. */
export type Schedule = { text: string; last(moment: Date): Date; next(moment: Date): Date };

/** Each day at a local time (`03:00`), or every so many hours since 1970 (`6h`, at most a week). */
export function parseSchedule(text: string): Schedule | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined && minute !== undefined) return daily(text, Number(hour), Number(minute));
  const hours = Number(/^([1-9]\d{0,2})h$/.exec(text)?.[1]);
  return hours <= 168 ? every(text, hours * 3_600_000) : undefined;
}

function daily(text: string, hour: number, minute: number): Schedule {
  const onDay = (moment: Date, days: number) =>
    new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days, hour, minute);
  return {
    text,
    last: (moment) => {
      const today = onDay(moment, 0);
      return today <= moment ? today : onDay(moment, -1);
    },
    next: (moment) => {
      const today = onDay(moment, 0);
      return today > moment ? today : onDay(moment, 1);
    },
  };
}

function every(text: string, milliseconds: number): Schedule {
  const at = (count: number) => new Date(count * milliseconds);
  return {
    text,
    last: (moment) => at(Math.floor(moment.getTime() / milliseconds)),
    next: (moment) => at(Math.floor(moment.getTime() / milliseconds) + 1),
  };
}
