import { useFormats } from '../../lib/format.ts';
import { shownPercent } from '../../lib/percent.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Forecast } from './forecast-queries.ts';
import { isOwnTarget } from './own-target.ts';
import type { Project } from './project-queries.ts';
import styles from './target-meter.module.css';
import { trackMessages } from './track-messages.ts';

const dayMilliseconds = 86_400_000;

/** The reader's own hours of the target, with a mark where an even pace would be. */
export function TargetMeter({ project, forecast }: { project: Project; forecast: Forecast | undefined }) {
  const t = useTexts(trackMessages);
  const { id: userId, timezone } = useAccount();
  const formats = useFormats(timezone);
  const dates = useFormats('UTC'); // a due date has no time
  const { name, due_date: due, target_hours: target, own_hours, own_progress, current_hours } = project;
  const isOwn = isOwnTarget(project, userId);
  const today = Date.parse(formats.isoDay(Date.now()));
  const days = due === null ? undefined : Math.round((Date.parse(due) - today) / dayMilliseconds);
  const even = due === null || !isOwn || forecast === undefined ? undefined : evenPace(forecast.began_on, due, today);
  const shown = shownPercent(own_progress);
  return (
    <div className={styles.target} data-hue={project.color}>
      <p>
        <span>
          <strong>{formats.hours(own_hours)}</strong>{' '}
          {target > 0 && isOwn && t('of', { target: formats.hours(target) })}
        </span>
        <span>
          {due !== null && days !== undefined
            ? t(days < 0 ? 'was_due' : 'due', { date: dates.shortDate(due), count: days })
            : ''}
        </span>
      </p>
      {target > 0 && (
        <svg
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          role="progressbar"
          aria-label={t('progress_of', { name })}
          aria-valuenow={Math.round(shown)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={
            even === undefined
              ? undefined
              : `${formats.number(shown)} %, ${t('even_pace', { percent: formats.number(Math.round(even)) })}`
          }
        >
          <line className={styles.track} x2="100" y1="2" y2="2" />
          {shown > 0 && <line className={styles.fill} x2={shown} y1="2" y2="2" />}
          {even !== undefined && <line className={styles.tick} x1={even} x2={even} y1="-3" y2="7" />}
        </svg>
      )}
      {target > 0 && !isOwn && (
        <small>{t('together', { done: formats.hours(current_hours), target: formats.hours(target) })}</small>
      )}
    </div>
  );
}

/** How much of the time to the due date has passed, in percent, as in the chart; undefined outside of it. */
export function evenPace(began: string, due: string, today: number): number | undefined {
  const [start, end] = [Date.parse(began), Date.parse(due)];
  return today < start || today > end || start >= end ? undefined : ((today - start) / (end - start)) * 100;
}
