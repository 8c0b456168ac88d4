import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../lib/api.ts';
import { useFormats } from '../../../lib/format.ts';
import { commonMessages } from '../../../lib/messages.ts';
import { useTexts } from '../../../lib/texts.ts';
import { href } from '../../../routes.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Card, Empty, Skeleton } from '../../../ui/page.tsx';
import { dayOf } from '../../projects/burn-up.ts';
import type { StudentProject } from '../progress-queries.ts';
import { GoalChip } from './goal-chip.tsx';
import { type Goal, isGoal, isLate } from './goal-queries.ts';
import { MiniBurnUp } from './mini-burn-up.tsx';
import styles from './student.module.css';
import { studentMessages } from './student-messages.ts';

type Hours = Schemas['PersonalStatistics']['by_project'];
type Props = { goals: Goal[] | undefined; projects: readonly StudentProject[]; missing: number; hours: Hours };

/** Each goal with its state and where the pace leads, the latest first; then the student's other projects. */
export function StudentGoals({ goals, projects, missing, hours }: Props) {
  const t = useTexts(studentMessages);
  const common = useTexts(commonMessages);
  const dated = goals?.filter(({ project, data }) => project.due_date !== null && data.total < data.target) ?? [];
  const count = dated.filter(isLate).length;
  const shown = new Set(goals?.map(({ project }) => project.id));
  const others = projects.filter(({ id }) => !shown.has(id));
  const former = hours.filter(({ project_id }) => projects.every(({ id }) => id !== project_id));
  const hoursOn = new Map(hours.map(({ project_id, hours: own }) => [project_id, own]));
  return (
    <Card
      title={t('goals')}
      context={dated.length > 0 && count > 0 && t('goals_late', { count, dated: dated.length })}
      actions={<span className="note">{t('own_time')}</span>}
      isFlush
    >
      {goals === undefined && <Skeleton label={common('loading')} lines={5} />}
      {goals !== undefined && projects.length + former.length === 0 && (
        <div className={styles.none}>
          <Empty>
            <p>{t('projects_none')}</p>
            <LinkButton href={href('assign')}>{t('assign')}</LinkButton>
          </Empty>
        </div>
      )}
      {goals !== undefined && (
        <ul className={styles.goals} aria-label={t('goals')}>
          {goals.map((goal) => (
            <GoalRow key={goal.project.id} goal={goal} />
          ))}
          {others.map((project) => (
            <ProjectRow key={project.id} project={project} hours={hoursOn.get(project.id) ?? 0} />
          ))}
          {former.map(({ project_id: id, project_name: name, hours: own }) => (
            <Row key={id} id={id} hue={undefined} name={name} say={t('former')} hours={own} />
          ))}
        </ul>
      )}
      {missing > 0 && <p className={styles.foot}>{t('and_more', { count: missing })}</p>}
    </Card>
  );
}

type RowProps = {
  id: number;
  hue: number | undefined;
  name: string;
  chip?: ReactNode;
  say: ReactNode;
  chart?: ReactNode;
  hours: number;
  target?: number;
  due?: string | null;
};

function Row({ id, hue, name, chip, say, chart, hours, target = 0, due }: RowProps) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC'); // a due date has no time
  const done = formats.hours(hours);
  const rest = target > hours ? t('to_go', { hours: formats.hours(target - hours) }) : '';
  const until = due === undefined ? '' : due === null ? t('no_due') : formats.shortDate(due);
  return (
    <li data-hue={hue}>
      <div className={styles.what}>
        <p className={styles.name}>
          {hue === undefined ? <span>{name}</span> : <Link href={href('project', { id })}>{name}</Link>}
          {chip}
        </p>
        <p className="note">{say}</p>
      </div>
      {chart}
      <div className={styles.amount}>
        <p>{target > 0 ? t('of', { done, target: formats.hours(target) }) : done}</p>
        <p className="note">{[rest, until].filter((text) => text !== '').join(' · ')}</p>
      </div>
    </li>
  );
}

function GoalRow({ goal }: { goal: Goal }) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC');
  const { project, data } = goal;
  return (
    <Row
      id={project.id}
      hue={project.color}
      name={project.name}
      chip={<GoalChip goal={goal} />}
      say={<Sentence goal={goal} />}
      chart={<MiniBurnUp data={data} label={t('burn_up', { name: project.name, done: formats.hours(data.total) })} />}
      hours={data.total}
      target={project.target_hours}
      due={project.due_date}
    />
  );
}

function Sentence({ goal: { project, forecast, data, daysLate } }: { goal: Goal }) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC'); // days have no time
  const { state, required_hours_per_day, pace_hours_per_day, projected_completion: end } = forecast;
  const { due_date: due, weekly_goal_hours: weekly, target_hours: target } = project;
  const needed = formats.hours(required_hours_per_day);
  if (state === 'paused') return t('is_paused');
  if (target > 0 && data.total >= target) return t('reached');
  if (due !== null && dayOf(due) < data.today) return t('was_due', { count: data.today - dayOf(due) });
  if (due === null) return weekly === null ? t('no_due') : t('weekly', { hours: formats.hours(weekly) });
  if (end === null || daysLate === undefined) return t('no_pace', { needed });
  const key = daysLate > 0 ? 'late_by' : daysLate < 0 ? 'early_by' : 'in_time';
  return (
    <>
      {t('at_pace', { date: formats.shortDate(end) })}
      <b data-late={daysLate > 0 || undefined}>{t(key, { count: Math.abs(daysLate) })}</b>
      {daysLate > 0 ? t('needs_gets', { needed, pace: formats.hours(pace_hours_per_day) }) : t('stop')}
    </>
  );
}

/** A project that is no open goal of the student alone. */
function ProjectRow({ project, hours }: { project: StudentProject; hours: number }) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC');
  const { status, target_hours: target, current_hours, isOwn } = project;
  const say =
    status === 'completed'
      ? t('is_completed')
      : status === 'paused'
        ? t('is_paused')
        : target === 0
          ? t('no_target')
          : t('everybody', { done: formats.hours(current_hours), target: formats.hours(target) });
  return (
    <Row
      id={project.id}
      hue={project.color}
      name={project.name}
      chip={isOwn && <span className="note">{t('own_project')}</span>}
      say={say}
      hours={hours}
      target={isGoal(project) ? target : 0}
      due={project.due_date}
    />
  );
}
