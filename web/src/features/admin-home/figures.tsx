import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { SparkLine, Sparkline } from '../../ui/sparkline.tsx';
import { Delta, Stat, Stats } from '../../ui/stats.tsx';
import { sumOf } from '../progress/everyone.ts';
import { OnTrackStat } from '../progress/on-track-stat.tsx';
import type { Student } from '../progress/progress-queries.ts';
import styles from './admin-home.module.css';
import { useOpenRequests } from './home-queries.ts';
import { adminHomeMessages } from './messages.ts';

const hourMilliseconds = 3_600_000;

/** What the students have done, compared with a week ago, and what waits for an answer. */
export function Figures({ students }: { students: readonly Student[] }) {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats(useAccount().timezone);
  const { data: inbox } = useOpenRequests();
  const { studied, weeks, lastWeekSoFar } = sumOf(students);
  const [sameDay = 0, today = 0, thisWeek = 0] = [studied[0], studied.at(-1), weeks.at(-1)];
  const weekday = formats.weekdayShort(new Date().toISOString());
  const percent = lastWeekSoFar === 0 ? 0 : Math.round(((thisWeek - lastWeekSoFar) / lastWeekSoFar) * 100);
  const overdue = inbox?.requests.filter((request) => request.overdue).length ?? 0;
  const oldest = inbox?.requests[0];
  return (
    <div className={styles.figures}>
      <Stats>
        <Stat
          label={t('studied_today')}
          value={
            <>
              {today} <small>{t('of', { count: students.length })}</small>
            </>
          }
          chart={
            <Sparkline label={t('studied_days', { counts: studied.slice(-5).join(', ') })} values={studied.slice(-5)} />
          }
          note={
            today === sameDay ? (
              t('same_day', { weekday })
            ) : (
              <>
                <Delta value={today - sameDay}>{Math.abs(today - sameDay)}</Delta> {t('vs_day', { weekday })}
              </>
            )
          }
        />
        <Stat
          label={t('hours_week')}
          value={
            <>
              {formats.number(Math.round(thisWeek))} <small>{t('h')}</small>
            </>
          }
          chart={
            <SparkLine
              label={t('hours_weeks', { hours: weeks.map(Math.round).join(', ') })}
              values={weeks.slice(0, -1)}
            />
          }
          note={
            percent === 0 ? (
              t('same_week', { weekday })
            ) : (
              <>
                <Delta value={percent}>{t('percent', { percent: Math.abs(percent) })}</Delta>{' '}
                {t('vs_week', { weekday })}
              </>
            )
          }
        />
        <OnTrackStat students={students} />
        <Stat
          label={t('requests')}
          value={inbox?.stats.pending ?? 0}
          note={
            oldest === undefined ? (
              t('answered')
            ) : (
              <>
                {overdue > 0 && <strong className={styles.overdue}>{t('count_overdue', { count: overdue })}</strong>}
                {overdue > 0 && t('comma')}
                {t('oldest', { count: Math.floor((Date.now() - Date.parse(oldest.created_at)) / hourMilliseconds) })}
              </>
            )
          }
        />
      </Stats>
    </div>
  );
}
