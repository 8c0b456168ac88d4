import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { Delta, Stat, Stats } from '../../ui/stats.tsx';
import { median, useEveryone } from '../progress/everyone.ts';
import { OnTrackStat } from '../progress/on-track-stat.tsx';
import type { Student } from '../progress/progress-queries.ts';
import { StudiedTodayStat } from '../progress/studied-today-stat.tsx';
import styles from './class.module.css';
import { Distribution, Trend } from './class-charts.tsx';
import { ClassGrid } from './class-grid.tsx';
import { classMessages } from './class-messages.ts';
import { type ClassPeriod, useClassPeriod } from './class-period.ts';
import { ClassProjects } from './class-projects.tsx';
import {
  type Comparison,
  type MemberDays,
  meanWeeklyGoal,
  useClassComparison,
  useClassStatistics,
} from './class-queries.ts';
import { PeriodTools } from './period-tools.tsx';
import { UnequalDays } from './unequal-days.tsx';

type Props = {
  id: number;
  kind: ClassPeriod;
  /** The last day of the period; empty for today. */
  on: string;
  change: (changed: { period?: string; on?: string }) => void;
};

/** The figures of a class in a period, its students by day and its projects. */
export function ClassOverview({ id, kind, on, change }: Props) {
  const t = useTexts(classMessages);
  const formats = useOwnFormats();
  const dates = useFormats('UTC'); // dates have no time
  const { period, days, before, isCurrent } = useClassPeriod(kind, on);
  const { from, to } = period;
  const now = useClassStatistics(id, period);
  const comparison = useClassComparison(id, period, before);
  const weeks = useClassStatistics(id);
  const { period: month } = useClassPeriod('month', isCurrent ? '' : to);
  const recent = useClassStatistics(id, month);
  const everyone = useEveryone(`${id}`);
  // Read again every five minutes; if that fails, the former data stay.
  if (!(now.data && weeks.data && recent.data && everyone.data))
    return <Loading of={[now, weeks, recent, everyone]} lines={8} />;
  if (now.data.members.length === 0)
    return (
      <Card>
        <Empty>{t('nobody')}</Empty>
      </Card>
    );
  // The current week is not over: its hours stay hours, those of longer periods become hours per week.
  const perWeek = (member: MemberDays) => (kind === 'week' ? member.total_hours : (member.total_hours / days) * 7);
  const hours = now.data.members.map(perWeek);
  return (
    <div className={styles.grid}>
      <div className={`whole ${styles.tools} no-print`}>
        <PeriodTools kind={kind} on={on} change={change} />
      </div>
      <p className={styles.paper}>
        {`${dates.dates(from, to)} · ${t('as_of', { when: formats.dateTime(new Date().toISOString()) })}`}
      </p>
      <Figures
        students={isCurrent ? everyone.data.students : undefined}
        kind={kind}
        hours={hours}
        total={now.data.total_hours}
        comparison={comparison.isPlaceholderData ? undefined : comparison.data}
        days={days}
      />
      <Distribution hours={hours} isWeek={kind === 'week'} goal={meanWeeklyGoal(now.data)} />
      {/* The current week is not over. */}
      <Trend weekly={weeks.data.weekly.slice(0, -1)} />
      <ClassGrid groupId={id} members={recent.data.members} from={month.from} />
      <ClassProjects statistics={weeks.data} isOnlyActive />
    </div>
  );
}

type FiguresProps = {
  /** Undefined for too many. */
  students: readonly Student[] | undefined;
  kind: ClassPeriod;
  /** Hours per week of each member. */
  hours: readonly number[];
  total: number;
  comparison: Comparison | undefined;
  days: number;
};

function Figures({ students, kind, hours, total, comparison, days }: FiguresProps) {
  const t = useTexts(classMessages);
  const formats = useOwnFormats();
  const against = t(comparison?.is_running ? 'vs_so_far' : 'vs_before');
  const change = (difference: number, text: string) =>
    Math.abs(difference) < 0.02 ? t('no_change') : <Delta value={difference}>{text}</Delta>;
  const middle = median(hours);
  const perPeriod = kind === 'week' ? 1 : 7 / days;
  const middleBefore = comparison && comparison.median.other_hours * perPeriod;
  const totalBefore = comparison?.total.other_hours ?? 0;
  const percent = totalBefore === 0 ? undefined : ((total - totalBefore) / totalBefore) * 100;
  return (
    <div className="whole">
      <Stats>
        {students !== undefined && <StudiedTodayStat students={students} same={t('no_change')} />}
        <Stat
          label={t(kind === 'week' ? 'median_week' : 'median')}
          value={<Quantity text={formats.hours(middle)} />}
          note={
            middleBefore !== undefined && (
              <span title={against}>
                {change(middle - middleBefore, formats.hours(Math.abs(middle - middleBefore)))}
              </span>
            )
          }
        />
        <Stat
          label={t('total')}
          value={<Quantity text={formats.shortHours(total)} />}
          note={
            percent !== undefined && (
              <span title={against}>
                {change(Math.round(percent), t('percent', { percent: formats.number(Math.abs(Math.round(percent))) }))}
              </span>
            )
          }
        />
        {students !== undefined && <OnTrackStat students={students} />}
        <Stat
          label={t('per_day')}
          value={<Quantity text={formats.hours(total / days / Math.max(1, hours.length))} />}
          note={t('per_student')}
        />
      </Stats>
      {comparison && <UnequalDays {...comparison} />}
    </div>
  );
}
