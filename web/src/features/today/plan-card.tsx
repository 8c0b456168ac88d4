import { Play, Square } from 'lucide-react';
import { Link } from 'wouter';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useSettings } from '../../lib/settings.ts';
import { actionOf, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Plan } from '../plan/use-plan.ts';
import type { Week } from '../plan/week-queries.ts';
import type { Project } from '../projects/project-queries.ts';
import { usePreset } from '../timer/preset.ts';
import { startTimer, useTimer } from '../timer/timer-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './plan.module.css';
import { PlanRow } from './plan-row.tsx';
import { Ribbon } from './ribbon.tsx';

/** As many rows are filled with projects outside the plan. */
const minRows = 4;
const maxRows = 8;

type Props = { plan: Plan; week: Week; hueOf: (id: number) => number };

/** What today asks: one sentence, the next step as a button, and the projects with their reasons. */
export function PlanCard({ plan, week, hueOf }: Props) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const { data: timer } = useTimer();
  const { run, error } = useAction(({ id, name }: Project) => startTimer({ id, name }));
  const planned = plan.items.filter(({ isPlanned }) => isPlanned);
  const outside = plan.items.filter(({ isPlanned }) => !isPlanned);
  const open = planned.filter(({ left }) => left > 0);
  const rows = [...planned, ...outside.slice(0, Math.max(0, minRows - planned.length))].slice(0, maxRows);
  const next = (open[0] ?? plan.items[0])?.project;
  usePreset(next);
  const unlisted = week.today.parts.filter(({ id }) => rows.every(({ project }) => project.id !== id));
  return (
    <Card className={styles.plan}>
      <div className={styles.head}>
        <div className={styles.say}>
          <p>{t('plan')}</p>
          <h2>{sentence()}</h2>
          <p>{details()}</p>
        </div>
        {next !== undefined && <BigButton next={next} isCalm={plan.toGo === 0} onStart={() => void run(next)} />}
      </div>
      <Ribbon day={week.today} now={week.now} hueOf={hueOf} planned={plan.items} />
      <ul className={styles.rows}>
        {rows.map((item) => (
          <PlanRow
            key={item.project.id}
            item={item}
            week={week}
            isNext={item.project.id === (timer?.project_id ?? (plan.toGo > 0 ? next?.id : undefined))}
            onStart={() => void run(item.project)}
          />
        ))}
      </ul>
      <p className={styles.also}>
        {unlisted.map(({ id, name, seconds }) => (
          <span key={id} data-hue={hueOf(id)}>
            <span className="tab" />
            {t('outside', { project: name, duration: formats.duration(seconds) })}
          </span>
        ))}
        <Link href={href('projects')} className={styles.change}>
          {t('change_plan')}
        </Link>
      </p>
      <Problem error={error} />
    </Card>
  );

  function sentence(): string {
    const minutes = Math.ceil(plan.toGo / 60);
    if (minutes > 0 && minutes < 60) return t('minutes_to_go', { count: minutes });
    if (minutes > 0) return t('to_go', { duration: formats.duration(minutes * 60) });
    if (plan.isOpen) return plan.done === 0 ? t('nothing_yet') : t('so_far', { duration: formats.duration(plan.done) });
    if (plan.done === 0) return t('nothing_asked');
    const last = week.today.stretches.at(-1)?.to ?? week.now;
    return t('done_at', { time: formats.time(new Date(last).toISOString()) });
  }

  function details() {
    if (plan.isOpen) return <Link href={href('mySettings', { part: 'study' })}>{t('set_goal')}</Link>;
    if (plan.toGo === 0) return plan.done > 0 && t('done_with', { duration: formats.duration(plan.done) });
    const parts = open.map(({ project, left }) => `${project.name} ${formats.duration(Math.ceil(left / 60) * 60)}`);
    const free =
      plan.free >= 60 && t(parts.length > 0 ? 'and_free' : 'free', { duration: formats.duration(plan.free) });
    const end = formats.time(new Date(week.now + plan.toGo * 1000).toISOString());
    return (
      <>
        {marks.list(free ? [...parts, free] : parts)}
        {t('stop')}
        {t(timer == null ? 'finish_at' : 'go_on_until')}
        <strong>{end}</strong>
        {t('stop')}
      </>
    );
  }
}

type ButtonProps = { next: Project; isCalm: boolean; onStart: () => void };

/** Starts the next project of the plan, or stops the running timer. */
function BigButton({ next, isCalm, onStart }: ButtonProps) {
  const t = useTexts(todayMessages);
  const { keys } = useSettings();
  const { data: timer } = useTimer();
  const isRunning = timer != null;
  return (
    <div className={styles.big} data-hue={next.color}>
      <Button
        look={isRunning || isCalm ? 'plain' : 'stop'}
        icon={isRunning ? <Square size={14} fill="currentColor" /> : <Play size={16} fill="currentColor" />}
        onPress={isRunning ? () => actionOf(shortcuts.timer)?.() : onStart}
      >
        <span>
          {isRunning ? t('stop_named', { project: timer.project_name }) : t('start_named', { project: next.name })}
        </span>
      </Button>
      {keys && (
        <small>
          {t('or_press')} <kbd>{shortcuts.timer.toUpperCase()}</kbd>
        </small>
      )}
    </div>
  );
}
