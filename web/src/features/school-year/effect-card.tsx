import { Flame, PencilLine, Timer, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../lib/cx.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import chip from '../../ui/chip.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Card, Skeleton } from '../../ui/page.tsx';
import { trackMessages } from '../projects/track-messages.ts';
import styles from './effect-card.module.css';
import { effectMessages } from './effect-messages.ts';
import { type Draft, type Effect, useEffectOf } from './school-year-queries.ts';

/** Of each list; the number above is that of all. */
const shown = 3;

/** What days would change that are in the form and not saved yet. */
export function EffectCard({ draft }: { draft: Draft }) {
  const settled = useDebounced(draft, 400);
  const { data, error } = useEffectOf(settled);
  return <EffectPanel effect={data} error={error} isCurrent={settled === draft} isEmpty={draft.from === ''} />;
}

type PanelProps = {
  effect: Effect | undefined;
  error: Error | null;
  /** Of what is in the form now. */
  isCurrent: boolean;
  /** There are no dates yet. */
  isEmpty?: boolean;
};

/** What would change, before it is saved. */
export function EffectPanel({ effect, error, isCurrent, isEmpty = false }: PanelProps) {
  const t = useTexts(effectMessages);
  const problem = useProblem();
  return (
    <Card
      title={t('title')}
      actions={
        <span className={cx(chip.chip, chip.warn)}>
          <PencilLine size={14} aria-hidden="true" />
          {t('not_saved')}
        </span>
      }
    >
      <div className={styles.effect} aria-live="polite">
        {isEmpty && <p>{t('choose')}</p>}
        {!isEmpty && error !== null && <Notice kind="error">{problem(error)}</Notice>}
        {!isEmpty && error === null && (effect === undefined || !isCurrent) && (
          <Skeleton label={t('loading')} lines={4} />
        )}
        {!isEmpty && error === null && effect !== undefined && isCurrent && <Changes effect={effect} />}
      </div>
    </Card>
  );
}

function Changes({ effect }: { effect: Effect }) {
  const t = useTexts(effectMessages);
  const { students, streaks, streaks_count, goals, goals_count } = effect;
  const goalText = useGoalText();
  return (
    <>
      <p className={styles.muted}>{t('students', { count: students })}</p>
      {streaks_count + goals_count === 0 && <p>{t('nothing')}</p>}
      {streaks_count > 0 && (
        <Part icon={<Flame size={18} aria-hidden="true" />} title={t('streaks', { count: streaks_count })}>
          {streaks.slice(0, shown).map(({ user_id, display_name: name, before, after }) => (
            <li key={user_id}>{t('streak', { name, before, after })}</li>
          ))}
          {streaks_count > shown && <li>{t('more', { count: streaks_count - shown })}</li>}
        </Part>
      )}
      {goals_count > 0 && (
        <Part icon={<TrendingUp size={18} aria-hidden="true" />} title={t('goals', { count: goals_count })}>
          {goals.slice(0, shown).map((goal) => (
            <li key={`${goal.user_id} ${goal.project_id}`}>{goalText(goal)}</li>
          ))}
          {goals_count > shown && <li>{t('more', { count: goals_count - shown })}</li>}
        </Part>
      )}
      <Part icon={<Timer size={18} aria-hidden="true" />} title={t('kept')} />
      <p className={styles.muted}>{t('later')}</p>
    </>
  );
}

function useGoalText() {
  const t = useTexts(effectMessages);
  const track = useTexts(trackMessages);
  return ({ display_name: name, project_name: project, state, minutes }: Effect['goals'][number]) => {
    const states = { state: t('state', { before: track(state.before), after: track(state.after) }) };
    const isMoved = state.before !== state.after;
    const what = minutes.before === minutes.after ? states.state : t('minutes', minutes);
    const both = isMoved && minutes.before !== minutes.after;
    return t('goal', { name, project, what: both ? t('both', { ...states, minutes: what }) : what });
  };
}

function Part({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className={styles.part}>
      <span className={styles.icon}>{icon}</span>
      <div>
        <p>{title}</p>
        {children !== undefined && <ul>{children}</ul>}
      </div>
    </div>
  );
}
