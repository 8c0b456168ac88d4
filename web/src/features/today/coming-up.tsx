import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import type { Project } from '../projects/project-queries.ts';
import { useForecasts } from '../projects/project-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './today.module.css';

const [dayMilliseconds, maxAfter] = [86_400_000, 3];

/** The next due date in days, with what it needs, and those after it. */
export function ComingUp({ projects }: { projects: readonly Project[] }) {
  const t = useTexts(todayMessages);
  const { timezone } = useAccount();
  const formats = useFormats('UTC'); // due dates have no time
  const today = useFormats(timezone).isoDay(Date.now());
  const due = projects
    .flatMap((project) =>
      project.due_date !== null && project.due_date >= today && project.own_progress < 100
        ? [{ ...project, due_date: project.due_date }]
        : [],
    )
    .sort((a, b) => a.due_date.localeCompare(b.due_date));
  const [first, ...after] = due;
  const forecast = useForecasts(first === undefined ? [] : [first.id]).get(first?.id ?? 0);
  if (first === undefined) return null;
  const daysTo = (date: string) => Math.round((Date.parse(date) - Date.parse(today)) / dayMilliseconds);
  const date = formats.longDay(first.due_date);
  const needs =
    forecast?.hours_of === 'caller' && forecast.remaining_hours > 0
      ? t('needs', {
          date,
          left: formats.hours(forecast.remaining_hours),
          daily: formats.hours(forecast.required_hours_per_day),
        })
      : date;
  return (
    <Card className={styles.coming} hue={first.color}>
      <p className={styles.muted}>{t('coming_up')}</p>
      <p className={styles.count}>
        <strong>{formats.number(daysTo(first.due_date))}</strong> {t('days_left', { count: daysTo(first.due_date) })}
      </p>
      <p>
        <Link href={href('project', { id: first.id })}>{first.name}</Link>
      </p>
      <p className={styles.muted}>{needs}</p>
      <ul>
        {after.slice(0, maxAfter).map(({ id, name, color, due_date }) => (
          <li key={id} data-hue={color}>
            <span className={styles.tab} />
            <Link href={href('project', { id })}>{name}</Link>
            <span className={styles.muted}>{t('days', { count: daysTo(due_date) })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
