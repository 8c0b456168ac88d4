import { useRef } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import type { PlanItem } from '../plan/use-plan.ts';
import styles from './coming-up.module.css';
import { todayMessages } from './messages.ts';

const dayMilliseconds = 86_400_000;
/** The space that a date needs, and where the line ends. */
const [minGap, edge] = [150, 76];
const narrow = 560;
/** With more of them, weeks have no marks. */
const mostWeeks = 40;

type Due = { date: string; days: number; items: PlanItem[] };

/** The due dates on a line, with the days left and what each asks of a day. On a phone they are a list. */
export function ComingUp({ items, today }: { items: readonly PlanItem[]; today: string }) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const formats = useFormats('UTC'); // due dates have no time
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isLine = width >= narrow;
  const dues: Due[] = [];
  for (const item of items) {
    const { due_date: date, own_progress } = item.project;
    if (date === null || date < today || own_progress >= 100) continue;
    const same = dues.find((due) => due.date === date);
    if (same !== undefined) same.items.push(item);
    else dues.push({ date, days: Math.round((Date.parse(date) - Date.parse(today)) / dayMilliseconds), items: [item] });
  }
  if (dues.length === 0) return null;
  const shown = dues
    .sort((a, b) => a.days - b.days)
    .slice(0, isLine ? Math.max(1, Math.floor((width - edge) / minGap)) : 6);
  const places = placesOf(
    shown.map(({ days }) => days),
    width,
  );
  return (
    <Card title={t('coming_up')} context={t('coming_up_about')} className={styles.card}>
      <div ref={box} className={isLine ? styles.line : undefined}>
        {isLine && <small className={styles.today}>{t('today')}</small>}
        {isLine && weeksOf(shown, places).map((at) => <i key={at} style={{ insetInlineStart: `${at}px` }} />)}
        <ol className={styles.dues}>
          {shown.map(({ date, days, items: due }, index) => {
            const daily = due.flatMap(({ forecast }) =>
              forecast?.hours_of === 'caller' && forecast.required_hours_per_day > 0
                ? [formats.hours(Math.ceil(forecast.required_hours_per_day * 60) / 60)]
                : [],
            );
            return (
              <li
                key={date}
                data-hue={due[0]?.project.color}
                style={isLine ? { insetInlineStart: `${places[index]}px` } : undefined}
              >
                <span className={styles.names}>
                  {due.map(({ project }) => (
                    <Link key={project.id} href={href('project', { id: project.id })} className="name-link">
                      {project.name}
                    </Link>
                  ))}
                </span>
                <strong>
                  {formats.number(days)}
                  <span className="visually-hidden"> {t('days_left', { count: days })}</span>
                </strong>
                <small>
                  {[
                    formats.shortDate(date),
                    ...(daily.length > 0 ? [t('daily', { duration: marks.list(daily) })] : []),
                  ].join(' · ')}
                </small>
              </li>
            );
          })}
        </ol>
      </div>
    </Card>
  );
}

/** Places in proportion to the days, far enough from one another for their texts. */
function placesOf(days: readonly number[], width: number): number[] {
  const [first, last] = [edge, width - edge];
  const most = Math.max(...days, 1);
  const places = days.map((day) => Math.max(first, (day / most) * last));
  for (let index = 1; index < places.length; index += 1)
    places[index] = Math.max(places[index] ?? 0, (places[index - 1] ?? 0) + minGap);
  for (let index = places.length - 1; index >= 0; index -= 1)
    places[index] = Math.min(places[index] ?? 0, last - (places.length - 1 - index) * minGap);
  return places;
}

/** Where the weeks from today on are, in proportion between the dates beside them; none where they would be a pattern. */
function weeksOf(dues: readonly Due[], places: readonly number[]): number[] {
  const last = dues.at(-1)?.days ?? 0;
  if (last > mostWeeks * 7) return [];
  const weeks = Array.from({ length: Math.floor(last / 7) }, (_, index) => (index + 1) * 7);
  return weeks.map((day) => {
    const next = dues.findIndex(({ days }) => days >= day);
    const [fromDay, fromPlace] = [dues[next - 1]?.days ?? 0, places[next - 1] ?? 0];
    const [toDay, toPlace] = [dues[next]?.days ?? day, places[next] ?? 0];
    return fromPlace + ((day - fromDay) / (toDay - fromDay)) * (toPlace - fromPlace);
  });
}
