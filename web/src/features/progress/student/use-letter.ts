import type { Schemas } from '../../../lib/api.ts';
import { useFormats } from '../../../lib/format.ts';
import { useMarks } from '../../../lib/marks.ts';
import { useTexts } from '../../../lib/texts.ts';
import type { Letter } from '../letter.ts';
import { type Student, useStudentProjects } from '../progress-queries.ts';
import { type Goal, isLate, useGoals } from './goal-queries.ts';
import { studentMessages } from './student-messages.ts';
import { recentDays } from './student-overview.tsx';

/** As many goals are named in the subject. */
const maxNamed = 2;

/** A mail to a student that names the goals that are late, to be completed by hand; undefined if none is. */
export function useLetter(user: Schemas['ManagedUser'], student: Student | undefined): Letter | undefined {
  const t = useTexts(studentMessages);
  const marks = useMarks();
  const formats = useFormats('UTC'); // a due date has no time
  const { data } = useStudentProjects(user.id);
  const today = recentDays(student ?? { timezone: user.timezone, day_start_hour: 0 }).to;
  const late = useGoals(user, data?.projects ?? [], today)?.filter(isLate) ?? [];
  if (late.length === 0) return undefined;
  const line = ({ project, forecast, data: { total }, daysLate }: Goal) => {
    const facts = {
      project: project.name,
      done: formats.hours(total),
      target: formats.hours(project.target_hours),
      due: project.due_date === null ? '' : formats.shortDate(project.due_date),
      needed: formats.hours(forecast.required_hours_per_day),
    };
    if (forecast.state === 'overdue') return t('mail_overdue', facts);
    return daysLate !== undefined && daysLate > 0
      ? t('mail_late', { ...facts, count: daysLate })
      : t('mail_open', facts);
  };
  return {
    subject: t('mail_subject', { goals: marks.list(late.slice(0, maxNamed).map(({ project }) => project.name)) }),
    text: t('mail_text', { name: user.display_name, lines: late.map(line).join('\n') }),
  };
}
