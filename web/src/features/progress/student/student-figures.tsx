import type { Schemas } from '../../../lib/api.ts';
import { useFormats } from '../../../lib/format.ts';
import { useOwnFormats } from '../../../lib/own-formats.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Quantity } from '../../../ui/quantity.tsx';
import { Delta, Stat, Stats } from '../../../ui/stats.tsx';
import type { Statistics } from '../../statistics/statistics-queries.ts';
import type { Student } from '../progress-queries.ts';
import { lastMoment } from '../standing.ts';
import { studentMessages } from './student-messages.ts';

type Props = {
  student: Student;
  user: Schemas['ManagedUser'];
  /** Of the last 28 days, compared with those before. */
  recent: Statistics;
  /** The median of the hours of the class in these days. */
  median: number | undefined;
};

/** Five figures: the week, four weeks, the class beside them, study days, and the last sign-in. */
export function StudentFigures({ student, user, recent, median }: Props) {
  const t = useTexts(studentMessages);
  const formats = useOwnFormats();
  const own = useFormats(student.timezone);
  const week = student.weeks.at(-1) ?? 0;
  const total = recent.total_hours;
  const before = recent.previous?.total_hours ?? total;
  const change = (difference: number, same: 'as_last_week' | 'as_before', than: 'by_this_time' | 'than_before') =>
    Math.abs(difference) < 1 / 60 ? (
      t(same)
    ) : (
      <>
        <Delta value={difference}>{formats.hours(Math.abs(difference))}</Delta> {t(than)}
      </>
    );
  const { last_session: last } = student;
  const studied = last === null ? undefined : own.daysAgo(lastMoment(last), student.day_start_hour);
  return (
    <Stats>
      <Stat
        label={t('this_week')}
        value={<Quantity text={formats.hours(week)} />}
        note={change(week - student.last_week_so_far, 'as_last_week', 'by_this_time')}
      />
      <Stat
        label={t('four_weeks')}
        value={<Quantity text={formats.hours(total)} />}
        note={change(total - before, 'as_before', 'than_before')}
      />
      {median !== undefined && (
        <Stat
          label={t('class_median')}
          value={<Quantity text={formats.hours(median)} />}
          note={median > 0 && t('part_of_it', { percent: Math.round((total / median) * 100) })}
        />
      )}
      <Stat
        label={t('study_days')}
        value={
          <>
            {recent.study_days} <small>{t('of_28')}</small>
          </>
        }
        note={student.current_streak === 0 ? t('no_streak') : t('streak', { count: student.current_streak })}
      />
      <Stat
        label={t('last_sign_in')}
        value={user.last_login_at === null ? t('never') : formats.daysAgo(user.last_login_at)}
        note={studied === undefined ? t('no_study') : t('last_study', { day: studied })}
      />
    </Stats>
  );
}
