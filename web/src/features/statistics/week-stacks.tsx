import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Figure } from '../../ui/figure.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { HowCounted } from './how-counted.tsx';
import { type Period, weekEnd } from './period.ts';
import { periodMessages } from './period-messages.ts';
import layout from './statistics.module.css';
import type { Statistics } from './statistics-queries.ts';
import { WeeksChart } from './weeks-chart.tsx';
import type { Column, Series } from './weeks-readout.tsx';

/** As many series as can be told apart; the last is all others. */
const maxSeries = 6;
/** The colours of the categories, which have none of their own. */
const hueOfCategory = { academic: 1, skill: 2, hobby: 3, other: 4 } as const;

type Props = { statistics: Statistics; period: Period; isDaily: boolean; goal: number | undefined; isOwn: boolean };

/** Hours per week by project or category; in a single week the hours of each day. */
export function WeekStacks({ statistics, period, isDaily, goal, isOwn }: Props) {
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC');
  const [by, setBy] = useState<'project' | 'category'>('project');
  const { series, totals, columns } = isDaily ? daysOf(statistics, t('time')) : weeksOf(statistics, period, by, t);
  const title = t(isDaily ? 'daily_chart' : 'weeks_chart');
  const amount = (hours: number) => (hours > 0 ? formats.hours(hours) : '–');
  const rows = columns
    .toReversed()
    .map(
      ({ from, to, hours, parts }) =>
        [from, formats.dayRange(from, to), formats.hours(hours), ...(isDaily ? [] : parts.map(amount))] as const,
    );
  const most = formats.hours(Math.max(0, ...columns.map(({ hours }) => hours)));
  return (
    <Figure
      title={title}
      head={[t(isDaily ? 'day' : 'week'), t('time'), ...(isDaily ? [] : series.map(({ name }) => name))]}
      rows={rows}
      about={
        <>
          {!isDaily && (
            <ViewSwitch
              label={t('weeks_by')}
              options={[
                ['project', t('by_project')],
                ['category', t('by_category')],
              ]}
              value={by}
              onChange={setBy}
            />
          )}
          <HowCounted figure={isDaily ? 'days' : 'weeks'} name={title} />
        </>
      }
      className={layout.main}
    >
      <WeeksChart
        key={`${period.from} ${by}`}
        series={series}
        total={statistics.total_hours}
        totals={totals}
        columns={columns}
        label={t(isDaily ? 'daily_label' : 'weeks_label', { count: columns.length, most })}
        goal={isDaily ? undefined : goal}
        isOwn={isOwn}
      />
    </Figure>
  );
}

type Shown = { series: Series[]; totals: number[]; columns: Column[] };
type Texts = (key: keyof typeof periodMessages) => string;

function daysOf({ daily, total_hours }: Statistics, name: string): Shown {
  return {
    series: [{ key: 'all', name, color: undefined }],
    totals: [total_hours],
    columns: daily.map(({ date, hours }) => ({ from: date, to: date, hours, parts: [hours] })),
  };
}

function weeksOf(statistics: Statistics, period: Period, by: 'project' | 'category', t: Texts): Shown {
  const { weekly = [], by_project: projects, by_category: categories, total_hours } = statistics;
  const named =
    by === 'project'
      ? projects.map(({ project_id, project_name, color, hours }) => ({
          key: `${project_id}`,
          name: project_name,
          color,
          hours,
        }))
      : categories.map(({ category, hours }) => ({
          key: category,
          name: t(category),
          color: hueOfCategory[category],
          hours,
        }));
  const shown = named.length > maxSeries ? named.slice(0, maxSeries) : named;
  const listed = shown.reduce((sum, { hours }) => sum + hours, 0);
  const categoryOf = new Map(projects.map(({ project_id, category }) => [project_id, category]));
  const keyOf = (id: number) => (by === 'project' ? `${id}` : categoryOf.get(id));
  const columns = weekly.map(({ first_day, hours, by_project }) => {
    const parts = shown.map(({ key }) =>
      by_project.reduce((sum, project) => sum + (keyOf(project.project_id) === key ? project.hours : 0), 0),
    );
    const rest = Math.max(0, hours - parts.reduce((sum, part) => sum + part, 0));
    const [from = ''] = [first_day, period.from].sort().toReversed();
    return { from, to: weekEnd(first_day, period), hours, parts: [...parts, rest] };
  });
  // Projects beyond those that the service lists, and the digits that rounding loses.
  const hasRest = columns.some(({ parts }) => (parts.at(-1) ?? 0) > 0.05);
  return {
    series: [
      ...shown.map(({ key, name, color }) => ({ key, name, color })),
      ...(hasRest ? [{ key: 'rest', name: t('other_projects'), color: undefined }] : []),
    ],
    totals: [...shown.map(({ hours }) => hours), ...(hasRest ? [Math.max(0, total_hours - listed)] : [])],
    columns: columns.map((column) => (hasRest ? column : { ...column, parts: column.parts.slice(0, -1) })),
  };
}
