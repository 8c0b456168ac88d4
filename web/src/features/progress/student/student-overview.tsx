import type { Schemas } from '../../../lib/api.ts';
import { createDays } from '../../../lib/study-days.ts';
import { Loading } from '../../../ui/loading.tsx';
import { DaysOffCard } from '../../days-off/days-off-card.tsx';
import { useClassStatistics } from '../../groups/class-queries.ts';
import { usePeriodStatistics, usePersonalStatistics } from '../../statistics/statistics-queries.ts';
import { median } from '../everyone.ts';
import { type Student, useStudentProjects, useStudentRecords } from '../progress-queries.ts';
import { useGoals } from './goal-queries.ts';
import { useStudentNote } from './note-queries.ts';
import { changesOf } from './recent.ts';
import styles from './student.module.css';
import { StudentChanges } from './student-changes.tsx';
import { StudentDays } from './student-days.tsx';
import { StudentFigures } from './student-figures.tsx';
import { StudentGoals } from './student-goals.tsx';
import { StudentWhy } from './student-why.tsx';

type Props = { user: Schemas['ManagedUser']; student: Student };

/** The last 28 days of the student, today last. */
export function recentDays({ timezone, day_start_hour }: Pick<Student, 'timezone' | 'day_start_hour'>) {
  const days = createDays(timezone, day_start_hour);
  const to = days.dateOf(Date.now());
  return { from: days.plus(to, -27), to };
}

/** Why the student is where they are: a sentence, figures beside the class, goals, and what changed. */
export function StudentOverview({ user, student }: Props) {
  const period = recentDays(student);
  const group = student.groups[0];
  const recent = usePeriodStatistics(period, user);
  const allTime = usePersonalStatistics(1, user);
  const projects = useStudentProjects(user.id);
  const note = useStudentNote(user.id);
  const goals = useGoals(user, projects.data?.projects ?? [], period.to);
  const { data: records } = useStudentRecords(user.id, 1);
  const { data: ofClass } = useClassStatistics(group?.id, period);
  if (!(recent.data && allTime.data && projects.data && note.data !== undefined))
    return <Loading of={[recent, allTime, projects, note]} lines={8} />;
  const members = group === undefined ? undefined : ofClass?.members;
  const medianOf = (of: (member: NonNullable<typeof members>[number]) => number) =>
    members === undefined ? undefined : median(members.map(of));
  const { daily } = recent.data;
  const last = records?.sessions.find(({ ended_at }) => ended_at !== null)?.project_name;
  return (
    <div className={styles.report}>
      <StudentWhy
        student={student}
        hasSignedIn={user.last_login_at !== null}
        recent={recent.data}
        goals={goals ?? []}
        note={note.data}
      />
      <StudentFigures
        student={student}
        user={user}
        recent={recent.data}
        median={medianOf(({ total_hours }) => total_hours)}
      />
      <div className={styles.half}>
        <StudentGoals
          goals={projects.data && goals}
          projects={projects.data.projects}
          missing={projects.data.missing}
          hours={allTime.data.by_project}
        />
      </div>
      <div className={styles.half}>
        <StudentChanges changes={changesOf(daily, goals ?? [], last)} />
      </div>
      <StudentDays
        userId={user.id}
        name={user.display_name}
        days={daily}
        beside={
          group && members && members.length > 1
            ? { name: group.name, medians: daily.map((_, day) => medianOf((member) => member.daily[day] ?? 0) ?? 0) }
            : undefined
        }
      />
      <DaysOffCard user={user.id} />
    </div>
  );
}
