import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import { WeeksChart } from '../statistics/weeks-chart.tsx';
import { dateOf, dayOf } from './burn-up.ts';
import { overviewMessages } from './overview-messages.ts';
import { isOwnTarget } from './own-target.ts';
import type { ShownProject } from './project-queries.ts';

type Props = {
  project: ShownProject;
  daily: readonly { date: string; hours: number }[];
  today: string;
  weekStart: number;
  isOwn: boolean;
};
const weeksShown = 13;

/** The hours of the last thirteen weeks. */
export function WeeksCard({ project, daily, today, weekStart, isOwn }: Props) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC'); // dates have no time
  const { id } = useAccount();
  const goal = isOwn && isOwnTarget(project, id) ? (project.weekly_goal_hours ?? undefined) : undefined;
  const counted = weeksOf(daily, today, weekStart);
  const exact = usePeriod(project.id, isOwn ? id : undefined, counted[0]?.from ?? today, today);
  // The service's weeks begin on Mondays.
  const weeks = counted.map((week, index) => ({
    ...week,
    hours: (weekStart === 1 ? exact?.weekly_progress[index]?.hours : undefined) ?? week.hours,
  }));
  const total = exact?.total_hours ?? weeks.reduce((all, { hours }) => all + hours, 0);
  const most = formats.hours(Math.max(...weeks.map(({ hours }) => hours)));
  return (
    <Figure
      title={t('weeks')}
      context={goal !== undefined && t('week_goal', { hours: formats.hours(goal) })}
      className="whole"
      head={[t('week'), t('hours')]}
      rows={weeks.toReversed().map(({ from, to, hours }) => [from, formats.dayRange(from, to), formats.hours(hours)])}
      about={<HowCounted figure={isOwn ? 'weeks' : 'project_weeks'} name={t('weeks')} />}
    >
      <WeeksChart
        series={[{ key: 'hours', name: project.name, color: project.color }]}
        total={total}
        totals={[total]}
        columns={weeks.map((week) => ({ ...week, parts: [week.hours] }))}
        label={t('weeks_chart', { count: weeks.length, most })}
        goal={goal}
        isOwn={isOwn}
      />
    </Figure>
  );
}

/** The hours of a period as the service sums them: those of days are rounded, so their sum is not exact. */
function usePeriod(project: number, user: number | undefined, from: string, to: string) {
  const query = { from, to, daily: 'false', ...(user !== undefined && { user_id: user }) } as const;
  const { data } = useQuery({
    queryKey: ['stats', 'project', project, user ?? 'all', from, to],
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects/{id}/stats', { params: { id: project }, query, signal })).data,
  });
  return data;
}

function weeksOf(daily: Props['daily'], today: string, weekStart: number) {
  const current = dayOf(today) - ((new Date(today).getUTCDay() - weekStart + 7) % 7);
  const first = current - 7 * (weeksShown - 1);
  const weeks = Array.from({ length: weeksShown }, (_, index) => {
    const from = first + 7 * index;
    return { from: dateOf(from), to: dateOf(from + 6), hours: 0 };
  });
  for (const { date, hours } of daily) {
    const week = weeks[Math.floor((dayOf(date) - first) / 7)];
    if (week !== undefined) week.hours += hours;
  }
  return weeks;
}
