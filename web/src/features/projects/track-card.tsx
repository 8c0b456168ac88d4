import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Chip } from '../../ui/chip.tsx';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import { type BurnUp, burnUp, dateOf, dayOf } from './burn-up.ts';
import { BurnUpChart } from './burn-up-chart.tsx';
import type { Forecast } from './forecast-queries.ts';
import { projectMessages } from './messages.ts';
import styles from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';
import type { ShownProject } from './project-queries.ts';
import { StateChip } from './state-chip.tsx';

type Props = {
  project: ShownProject;
  forecast: Forecast;
  statistics: Schemas['Statistics'];
  /** The day of study that it is now. */
  today: string;
};

/** Whether the target will be reached in time: one sentence, then the chart. */
export function TrackCard({ project, forecast, statistics, today }: Props) {
  const t = useTexts(overviewMessages);
  const common = useTexts(projectMessages);
  const formats = useFormats('UTC'); // days have no time
  const isOwn = forecast.hours_of === 'caller';
  const share = forecast.hours_of === 'average' ? 1 / Math.max(1, project.members_count ?? 1) : 1;
  const data = burnUp({
    daily: statistics.daily.map(({ date, hours }) => ({ date, hours: hours * share })),
    total: statistics.total_hours * share,
    today,
    began: forecast.began_on,
    target: project.target_hours,
    due: project.due_date,
    projected: isOwn && forecast.state !== 'overdue' ? forecast.projected_completion : null,
  });
  const rows = monthEnds(data)
    .toReversed()
    .map((day) => {
      const even = data.evenAt(day);
      const texts = [data.points[day - data.from] ?? 0, even].map((hours) =>
        hours === undefined ? '–' : formats.hours(hours),
      );
      return [dateOf(day), formats.date(dateOf(day)), ...texts] as const;
    });
  return (
    <Figure
      title={t(isOwn && project.target_hours > 0 ? 'on_track' : 'progress')}
      className={styles.track}
      context={isOwn && <TrackChip project={project} forecast={forecast} data={data} />}
      head={[t('until'), t('hours'), t('even_pace')]}
      rows={rows}
      about={
        <span className={styles.whose}>
          {t(({ caller: 'own_time', all: 'everybody', average: 'mean' } as const)[forecast.hours_of])}
          <HowCounted figure="project_progress" name={common('progress_of', { name: project.name })} />
        </span>
      }
    >
      <Sentence project={project} forecast={forecast} data={data} />
      <BurnUpChart data={data} />
    </Figure>
  );
}

type OnTrack = { project: ShownProject; forecast: Forecast; data: BurnUp };

/** The state; a finished project needs none. */
function TrackChip({ project, forecast }: OnTrack) {
  const t = useTexts(overviewMessages);
  if (project.status === 'completed') return <Chip look="plain">{t('finished')}</Chip>;
  return <StateChip forecast={forecast} />;
}

function Sentence({ project, forecast, data }: OnTrack) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC'); // days have no time
  const { state, hours_of, remaining_hours, required_hours_per_day, projected_completion: end } = forecast;
  const { due_date: due, target_hours, status, own_hours } = project;
  const done = formats.hours(data.total);
  const target = formats.hours(target_hours);
  const needed = formats.hours(required_hours_per_day);
  const say = (text: string) => <p className={styles.say}>{text}</p>;
  if (status === 'completed')
    return say(target_hours > 0 ? t('finished_at', { done, target }) : t('finished_without', { done }));
  if (target_hours === 0) return say(t('say_no_target', { done }));
  if (hours_of !== 'caller') {
    const all =
      hours_of === 'average'
        ? t('say_mean', { done, target })
        : own_hours > 0
          ? t('say_shared', { done, target, own: formats.hours(own_hours) })
          : t('say_shared_all', { done, target });
    const isOver = due !== null && dayOf(due) < data.today && status === 'active';
    return say(isOver ? `${all} ${t('say_was_due', { date: formats.shortDate(due) })}` : all);
  }
  if (state === 'paused') return say(t('paused_at', { done, target }));
  if (state === 'done') return say(t('say_done', { target }));
  if (state === 'overdue') return say(t('say_overdue', { hours: formats.hours(remaining_hours) }));
  if (end === null) return say(due === null ? t('say_no_pace') : t('say_unstarted', { hours: needed }));
  const days = due === null ? 0 : dayOf(end) - dayOf(due);
  const key = days > 0 ? 'say_late' : days < 0 ? 'say_early' : 'say_date';
  return (
    <p className={styles.say}>
      {t('say_before')}{' '}
      <b data-late={days > 0 || undefined}>{t(key, { date: formats.shortDate(end), count: Math.abs(days) })}</b>
      {t('stop')} {days > 0 && t('say_enough', { hours: needed })}
    </p>
  );
}

/** The last day of each month so far, and today. */
function monthEnds({ from, today }: BurnUp): number[] {
  const days = Array.from({ length: today - from + 1 }, (_, index) => from + index);
  return days.filter((day) => day === today || dateOf(day + 1).endsWith('-01'));
}
