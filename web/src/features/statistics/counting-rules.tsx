import { Link } from 'wouter';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { weekdayNames } from '../../lib/weekdays.ts';
import { href } from '../../routes.ts';
import { howCountedMessages } from './how-counted-messages.ts';
import styles from './statistics.module.css';

/** The rules that explain each figure, its definition first. */
const figures = {
  today: ['today', 'day', 'split', 'running'],
  this_week: ['this_week', 'day', 'split', 'running'],
  streak: ['streak', 'day', 'split', 'rest', 'auto_stopped'],
  longest_streak: ['longest_streak', 'day', 'split', 'rest'],
  study_days: ['study_days', 'day', 'split'],
  total: ['total', 'deleted', 'running', 'auto_stopped'],
  per_day: ['per_day', 'day', 'split', 'running'],
  hours: ['hours', 'day', 'running'],
  average: ['average', 'deleted', 'auto_stopped'],
  longest_record: ['longest_record', 'deleted', 'auto_stopped'],
  days: ['days', 'day', 'split', 'deleted', 'running'],
  weeks: ['weeks', 'day', 'split', 'deleted'],
  projects: ['projects', 'deleted'],
  project_own_streak: ['streak', 'pauses', 'rest', 'day', 'split'],
  project_streak: ['streak', 'everybody', 'pauses', 'rest', 'day', 'split'],
  project_total: ['total', 'everybody', 'running', 'auto_stopped'],
  project_average: ['average', 'everybody', 'auto_stopped'],
  project_weeks: ['weeks', 'everybody', 'day', 'split'],
  project_progress: ['progress', 'running', 'auto_stopped'],
} as const satisfies Record<string, readonly (keyof typeof howCountedMessages)[]>;
export type CountedFigure = keyof typeof figures;

/** How a figure is counted, with the user's own time zone, day start and rest days. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function CountingRules({ figure }: { figure: CountedFigure }) {
  const t = useTexts(howCountedMessages);
  const { timezone, day_start_hour, rest_weekdays, week_start } = useAccount();
  const weekday = weekdayNames(useSettings().locale);
  const params = {
    zone: timezone,
    hour: `${day_start_hour}:00`,
    weekday: weekday(week_start),
    days: rest_weekdays.map(weekday).join(', '),
  };
  return (
    <>
      <ul className={styles.rules}>
        {figures[figure].map((rule) => (
          <li key={rule}>{t(rule === 'rest' && rest_weekdays.length === 0 ? 'no_rest' : rule, params)}</li>
        ))}
      </ul>
      {!figure.startsWith('project_') && <Link href={href('records')}>{t('records')}</Link>}
    </>
  );
}
