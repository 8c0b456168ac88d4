import { ClockAlert, TrendingUp } from 'lucide-react';
import { useFormats } from '../../../lib/format.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Headline } from '../../../ui/stats.tsx';
import type { Statistics } from '../../statistics/statistics-queries.ts';
import type { Student } from '../progress-queries.ts';
import { lastMoment, standingOf } from '../standing.ts';
import { type Goal, isLate } from './goal-queries.ts';
import type { Note } from './note-queries.ts';
import { headlineOf, usualHours } from './recent.ts';
import styles from './student.module.css';
import { studentMessages } from './student-messages.ts';
import { StudentNote } from './student-note.tsx';

type Props = { student: Student; hasSignedIn: boolean; recent: Statistics; goals: readonly Goal[]; note: Note };

/** In a sentence: what stands out, and what the goals need beside what they get; and the note of teachers. */
export function StudentWhy({ student, hasSignedIn, recent, goals, note }: Props) {
  const t = useTexts(studentMessages);
  const headline = useHeadline(student, hasSignedIn, recent);
  const formats = useFormats('UTC');
  const dated = goals.filter(({ project, data, forecast }) => {
    const isOpen = data.total < data.target && forecast.state !== 'paused';
    return project.due_date !== null && isOpen;
  });
  const late = dated.filter(isLate);
  const minutes = (of: (goal: Goal) => number) => formats.hours(late.reduce((sum, goal) => sum + of(goal), 0));
  const Icon = late.length > 0 || headline.isQuiet ? ClockAlert : TrendingUp;
  return (
    <Headline
      Icon={Icon}
      look={Icon === ClockAlert ? 'warn' : 'good'}
      text={headline.text}
      action={<StudentNote user={student.user_id} note={note} />}
      className={styles.why}
    >
      <p>
        {headline.more} {dated.length > 0 && late.length === 0 && t('all_on_time', { count: dated.length })}
        {late.length > 0 && (
          <>
            {t('late', { count: late.length, dated: dated.length })}{' '}
            <b>{t('need', { time: minutes(({ forecast }) => forecast.required_hours_per_day) })}</b>
            {t('get', { count: late.length, time: minutes(({ forecast }) => forecast.pace_hours_per_day) })}
          </>
        )}
      </p>
    </Headline>
  );
}

/** The first line, and what follows it about the habit. */
function useHeadline(student: Student, hasSignedIn: boolean, { daily, by_hour }: Statistics) {
  const t = useTexts(studentMessages);
  const dates = useFormats('UTC');
  const own = useFormats(student.timezone);
  const { last_session: last, running_timer: timer } = student;
  const usual = usualHours(by_hour);
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const span = usual && { from: clock(usual[0]), to: clock(usual[1]) };
  const count = daily.filter(({ hours }) => hours > 0).length;
  const habit = count === 0 ? '' : t('studied_of', { count, usually: span === undefined ? '' : t('usually', span) });
  if (timer !== null) return { text: t('now_studying', { project: timer.project_name }), more: habit, isQuiet: false };
  if (last === null) return { text: t(hasSignedIn ? 'never_studied' : 'never_signed_in'), more: '', isQuiet: true };
  const standing = standingOf(student);
  const found = headlineOf(daily, standing.name === 'silent' ? standing.count : 0);
  switch (found.kind) {
    case 'silent':
      return { text: t('silent', { count: found.count }), more: habit, isQuiet: true };
    case 'back': {
      const day = own.daysAgo(lastMoment(last), student.day_start_hour);
      return {
        text: t('back', { count: found.count, day, hours: dates.hours(found.hours) }),
        more: habit,
        isQuiet: true,
      };
    }
    case 'studied':
      return {
        text: t('studied', { count: found.count }),
        more: span === undefined ? '' : t('usually_alone', span),
        isQuiet: false,
      };
    default:
      return found satisfies never;
  }
}
