const dayMilliseconds = 86_400_000;
const mostDays = 371;
export const dayOf = (date: string): number => Date.parse(date.slice(0, 10)) / dayMilliseconds;
export const dateOf = (day: number): string => new Date(day * dayMilliseconds).toISOString().slice(0, 10);

type Input = {
  daily: readonly { date: string; hours: number }[];
  /** All hours, also those before the first day of `daily`. */
  total: number;
  today: string;
  /** From when the even pace counts. */
  began: string;
  target: number;
  due: string | null;
  /** The day on which the target is reached at the present pace. */
  projected: string | null;
};

/** Hours up to each day, the even pace to the due date, and the projection; days are counted since 1970. */
export function burnUp({ daily, total, today: date, began, target, due, projected }: Input) {
  const today = dayOf(date);
  const first = daily.find(({ hours }) => hours > 0)?.date ?? date;
  const start = Math.min(dayOf(began), today);
  // A member's imported study may be older than the project.
  const from = Math.max(today - mostDays + 1, Math.min(start, dayOf(first), today - 6));
  const hoursOn = new Map(daily.map((day) => [dayOf(day.date), day.hours]));
  let sum = total - daily.reduce((all, day) => all + (dayOf(day.date) >= from ? day.hours : 0), 0);
  const points = Array.from({ length: today - from + 1 }, (_, index) => {
    sum += hoursOn.get(from + index) ?? 0;
    return sum;
  });
  const dueDay = due === null ? undefined : dayOf(due);
  const endDay = projected === null || dueDay === undefined ? undefined : dayOf(projected);
  const last = Math.max(dueDay ?? today, today);
  // A projection years away would flatten everything else; its line then leaves the chart.
  const room = Math.max(7, Math.round((last - from) * 0.3));
  const to = Math.max(last, Math.min(endDay ?? last, last + room));
  const evenAt = (day: number): number | undefined =>
    dueDay === undefined || target === 0 || dueDay <= start || day < start || day > dueDay
      ? undefined
      : (target * (day - start)) / (dueDay - start);
  const projectedAt = (day: number): number | undefined =>
    endDay === undefined || endDay <= today || day <= today || day > endDay
      ? undefined
      : total + ((target - total) * (day - today)) / (endDay - today);
  return { from, to, today, start, points, total, target, due: dueDay, end: endDay, evenAt, projectedAt };
}
export type BurnUp = ReturnType<typeof burnUp>;

/** Round values for an axis from 0 to at least `most`, in at most four steps. */
export function ticksTo(most: number): number[] {
  const rough = Math.max(most, 0.5) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((value) => value >= rough - 1e-9) ?? rough;
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
