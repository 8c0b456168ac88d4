import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { useMedia } from '../../lib/use-media.ts';

export const calendarViews = ['day', 'week', 'list'] as const;
const isDate = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** View and date in the URL, and the days that they show. Without height, as at 400 % zoom, there is only the list. */
export function useCalendar() {
  const { timezone, day_start_hour, week_start } = useAccount();
  const [params, setParams] = useSearchParams();
  const isPhone = useMedia('(width <= 46rem)');
  const isNarrow = useMedia('(width < 68.75rem)');
  const isLow = useMedia('(height <= 32rem)');
  const days = createDays(timezone, day_start_hour);
  const [now] = useState(() => Date.parse(outbox.now()));
  const today = days.dateOf(now);
  const asked = params.get('on');
  const date = isDate(asked) ? asked : today;
  const isOfDays = params.has('from') || params.has('to') || params.has('search');
  const wanted =
    calendarViews.find((name) => name === params.get('view')) ?? (isOfDays ? 'list' : isPhone ? 'day' : 'week');
  const view = isLow ? 'list' : wanted;
  const week = days.weekOf(date, week_start);
  // Three days beside each other where a week is too narrow.
  const shown = view === 'day' ? [date] : isNarrow ? [0, 1, 2].map((offset) => days.plus(date, offset - 1)) : week;

  function change(changes: Record<string, string | undefined>): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          value === undefined ? next.delete(name) : next.set(name, value);
        return next;
      },
      { replace: true },
    );
  }
  const turn = (by: 1 | -1) => change({ on: days.plus(date, by * (view === 'day' ? 1 : shown.length)) });
  return {
    view,
    wanted,
    days,
    dates: shown,
    today,
    now,
    params,
    change,
    turn,
    isPhone,
    week,
    goToday: () => change({ on: undefined }),
    isAdding: params.has('add'),
    projectId: Number(params.get('project')) || undefined,
    search: params.get('search') ?? '',
  };
}
export type Calendar = ReturnType<typeof useCalendar>;
