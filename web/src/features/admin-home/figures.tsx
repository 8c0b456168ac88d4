import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { SparkLine, Sparkline } from '../../ui/sparkline.tsx';
import { Delta, Stat, Stats } from '../../ui/stats.tsx';
import { sumOf } from '../progress/everyone.ts';
import { OnTrackStat } from '../progress/on-track-stat.tsx';
import type { Student } from '../progress/progress-queries.ts';
import { StudiedTodayStat } from '../progress/studied-today-stat.tsx';
import styles from './admin-home.module.css';
import { useOpenRequests, useTrend } from './home-queries.ts';
import { adminHomeMessages } from './messages.ts';

const hourMilliseconds = 3_600_000;

/** What the students have done, compared with a week ago, and what waits for an answer. */
export function Figures({ students, group }: { students: readonly Student[]; group: string }) {
  const t = useTexts(adminHomeMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const isLimited = useIsLimited();
  const { data: trend = [], isPending } = useTrend(group);
  const before = trend.filter((week) => week.users > 0).map((week) => week.on_track);
  const { studied, weeks, lastWeekSoFar } = sumOf(students);
  const thisWeek = weeks.at(-1) ?? 0;
  const weekday = formats.weekdayShort(new Date().toISOString());
  const percent = lastWeekSoFar === 0 ? 0 : Math.round(((thisWeek - lastWeekSoFar) / lastWeekSoFar) * 100);
  return (
    <div className={styles.figures}>
      <Stats>
        <StudiedTodayStat
          students={students}
          same={t('same_day', { weekday })}
          chart={
            <Sparkline
              label={t('studied_days', { counts: marks.list(studied.slice(-5)) })}
              values={studied.slice(-5)}
            />
          }
        />
        <Stat
          label={t('hours_week')}
          value={<Quantity text={formats.shortHours(thisWeek)} />}
          chart={
            <SparkLine
              label={t('hours_weeks', { hours: marks.list(weeks.map(formats.number)) })}
              values={weeks}
              isLastOpen
            />
          }
          note={
            lastWeekSoFar === 0 && thisWeek > 0 ? (
              t('none_last_week')
            ) : percent === 0 ? (
              t('same_week')
            ) : (
              <>
                <Delta value={percent}>{t('percent', { percent: Math.abs(percent) })}</Delta> {t('vs_week')}
              </>
            )
          }
        />
        <OnTrackStat students={students} before={before} isWaiting={isPending} />
        {isLimited ? <ExcusedStat students={students} /> : <OpenRequestsStat />}
      </Stats>
    </div>
  );
}

/** Names are shown of so many students. */
const maxNames = 2;

/** Whose day off it is today. */
function ExcusedStat({ students }: { students: readonly Student[] }) {
  const t = useTexts(adminHomeMessages);
  const { list } = useMarks();
  const excused = students.filter(({ excused_today }) => excused_today);
  const more = excused.length - maxNames;
  const names = list(excused.slice(0, maxNames).map(({ display_name }) => display_name));
  return (
    <Stat
      label={t('excused')}
      value={excused.length}
      note={excused.length === 0 ? t('excused_none') : more > 0 ? t('excused_more', { names, count: more }) : names}
    />
  );
}

/** Not for administrators of classes, who have no inbox. */
function OpenRequestsStat() {
  const t = useTexts(adminHomeMessages);
  const marks = useMarks();
  const { data: inbox } = useOpenRequests();
  const overdue = inbox?.requests.filter((request) => request.overdue).length ?? 0;
  const oldest = inbox?.requests[0];
  return (
    <Stat
      label={t('requests')}
      value={inbox?.stats.pending ?? 0}
      note={
        oldest === undefined ? (
          t('answered')
        ) : (
          <>
            {overdue > 0 && <strong className={styles.overdue}>{t('count_overdue', { count: overdue })}</strong>}
            {overdue > 0 && marks.comma}
            {t('oldest', { count: Math.floor((Date.now() - Date.parse(oldest.created_at)) / hourMilliseconds) })}
          </>
        )
      }
    />
  );
}
