import type { Schemas } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { useElapsed, useTimer } from '../timer/timer-queries.ts';
import { dayOf } from './burn-up.ts';
import styles from './facts.module.css';
import type { Forecast } from './forecast-queries.ts';
import layout from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';
import type { ShownProject } from './project-queries.ts';

type Props = {
  project: ShownProject;
  forecast: Forecast;
  statistics: Schemas['Statistics'];
  today: string;
};
type Fact = { label: string; value: string; note?: string; isWarning?: boolean };

/** The figures behind the sentence, and the share of today. */
export function FactsCard({ project, forecast, statistics, today }: Props) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC'); // dates have no time
  const { timezone, day_start_hour, week_start } = useAccount();
  const { data: timer } = useTimer();
  const elapsed = useElapsed();
  const isOwn = forecast.hours_of === 'caller';
  const isOpen = isOwn && project.status === 'active';
  const running = isOwn && timer?.project_id === project.id ? elapsed / 3600 : 0;
  const days = createDays(timezone, day_start_hour);
  const week = new Set(days.weekOf(today, week_start));
  const sum = (is: (date: string) => boolean) =>
    statistics.daily.reduce((all, { date, hours }) => all + (is(date) ? hours : 0), 0);
  const thisWeek = sum((date) => week.has(date)) + running;
  const { due_date: due, weekly_goal_hours: goal } = project;
  const isPlanned = due !== null && forecast.state !== 'overdue';
  const facts: Fact[] = [];
  const add = (label: string, value: string, note?: string, isWarning = false) =>
    facts.push({ label, value, isWarning, ...(note !== undefined && { note }) });

  /** A target may be reached, or by some students only, when its date is over. */
  function addDueDate(date: string, left: number): void {
    const isOverdue = forecast.state === 'overdue';
    const since = t('since', { date: formats.date(date) });
    if (left >= 0) add(t('days_left'), String(left), formats.date(date));
    else add(t(isOverdue ? 'days_overdue' : 'days_past_due'), String(-left), since, isOverdue);
  }
  if (due !== null && project.status !== 'completed') addDueDate(due, dayOf(due) - dayOf(today));
  if (isOpen && project.target_hours > 0 && forecast.remaining_hours > 0) {
    const { required_hours_per_day: needed, pace_hours_per_day: pace, pace_days } = forecast;
    if (isPlanned)
      add(t('needed'), formats.hours(needed), t('to_go', { hours: formats.hours(forecast.remaining_hours) }));
    // Compared as shown, so that no figure is short by 0 min.
    const short = Math.round(needed * 60) - Math.round(pace * 60);
    const note = isPlanned ? (short > 0 ? t('short', { hours: formats.hours(short / 60) }) : t('spare')) : undefined;
    add(t('pace', { count: pace_days }), formats.hours(pace), note, isPlanned && short > 0);
  }
  add(
    t('this_week'),
    formats.hours(thisWeek),
    isOwn && goal !== null ? t('of', { hours: formats.hours(goal) }) : undefined,
  );
  if (facts.length < 4) add(t('total'), formats.hours(statistics.total_hours + running));
  if (facts.length < 4) add(t('average_record'), formats.hours(statistics.average_session_length));
  if (facts.length < 4) add(t('study_days'), String(statistics.study_days));

  const todayHours = sum((date) => date === today) + running;
  // What was still required when the forecast was made does not include the running timer.
  const left = Math.max(0, forecast.today_required_hours - running);
  const { today_reason, required_hours_per_day: daily } = forecast;
  const isMoreThanDate = today_reason === 'weekly_goal' && isPlanned && daily > 0;
  const share = { daily: formats.hours(daily), today: formats.hours(todayHours + left) };
  return (
    <Card className={cx(layout.facts, styles.facts)}>
      <h2 className="visually-hidden">{t('facts')}</h2>
      <dl>
        {facts.map(({ label, value, note, isWarning }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b className={styles.figure}>
                <Quantity text={value} />
              </b>
              <span data-warning={isWarning || undefined}>{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {isOpen && today_reason !== null && (
        <Today done={todayHours} left={left} why={isMoreThanDate ? t('date_and_week', share) : undefined} />
      )}
    </Card>
  );
}

function Today({ done, left, why }: { done: number; left: number; why: string | undefined }) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC');
  const share = done + left;
  const isDone = left * 60 < 0.5;
  return (
    <div className={styles.today}>
      <p>
        <strong>
          {isDone
            ? t('today', { done: formats.hours(done) })
            : t('today_of', { done: formats.hours(done), share: formats.hours(share) })}
        </strong>
        <span>{isDone ? t('done_today') : t('to_go', { hours: formats.hours(left) })}</span>
      </p>
      <span className={styles.meter} aria-hidden="true">
        <span style={{ width: `${share === 0 || isDone ? 100 : (done / share) * 100}%` }} />
      </span>
      {why !== undefined && <p>{why}</p>}
    </div>
  );
}
