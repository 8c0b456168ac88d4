import { Bell, Flame, Timer, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Problem } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { trackMessages } from '../projects/track-messages.ts';
import styles from './effect-card.module.css';
import { effectMessages } from './effect-messages.ts';
import type { Effect } from './school-year-queries.ts';

/** Of each list; the number above is that of all. */
const shown = 3;

export type Computed = {
  effect: Effect | undefined;
  error: Error | null;
  /** Of what is in the form now. */
  isCurrent: boolean;
  /** There are no dates yet. */
  isEmpty?: boolean;
  /** The days are those of one person, who is not named. */
  isPerson?: boolean;
};

/** What days in a form would change, once it is computed. */
export function EffectChanges({ effect, error, isCurrent, isEmpty = false, isPerson = false }: Computed) {
  const t = useTexts(effectMessages);
  return (
    <div className="stack-12" aria-live="polite">
      {isEmpty && <p>{t('choose')}</p>}
      {!isEmpty && <Problem error={error} />}
      {!isEmpty && error === null && (effect === undefined || !isCurrent) && (
        <Skeleton label={t('loading')} lines={4} />
      )}
      {!isEmpty && error === null && effect !== undefined && isCurrent && (
        <Changes effect={effect} isPerson={isPerson} />
      )}
    </div>
  );
}

type ChangesProps = { effect: Effect; isPerson?: boolean; isSaved?: boolean };

export function Changes({ effect, isPerson = false, isSaved = false }: ChangesProps) {
  const t = useTexts(effectMessages);
  const {
    students,
    quiet_students: quiet,
    recorded_hours: recorded,
    streaks,
    streaks_count,
    goals,
    goals_count,
  } = effect;
  const { hours } = useFormats('UTC');
  const goalText = useGoalText(isPerson);
  const [example] = streaks;
  return (
    <>
      {!isPerson && <p className="note">{t('students', { count: students })}</p>}
      {streaks_count + goals_count === 0 && <p>{t('nothing')}</p>}
      {example !== undefined && (
        <IconPart
          icon={<Flame className={styles.flame} size={18} />}
          title={
            isPerson
              ? t('streak_own', { before: example.before, after: example.after })
              : t('streaks', { count: streaks_count })
          }
        >
          {!isPerson &&
            streaks
              .slice(0, shown)
              .map(({ user_id, display_name: name, before, after }) => (
                <li key={user_id}>{t('streak', { name, before, after })}</li>
              ))}
          {streaks_count > shown && <li>{t('more', { count: streaks_count - shown })}</li>}
        </IconPart>
      )}
      {example !== undefined && !isSaved && (
        <figure className={styles.example}>
          {!isPerson && <figcaption>{t('example', { name: example.display_name })}</figcaption>}
          <Week days={example.week} />
        </figure>
      )}
      {goals_count > 0 && (
        <IconPart icon={<TrendingUp className={styles.goal} size={18} />} title={t('goals', { count: goals_count })}>
          {goals.slice(0, shown).map((goal) => (
            <li key={`${goal.user_id} ${goal.project_id}`}>{goalText(goal)}</li>
          ))}
          {goals_count > shown && <li>{t('more', { count: goals_count - shown })}</li>}
        </IconPart>
      )}
      {quiet > 0 && (
        <IconPart icon={<Bell size={18} />} title={isPerson ? t('quiet_own') : t('quiet', { count: quiet })} />
      )}
      {!isSaved && (
        <IconPart
          icon={<Timer size={18} />}
          title={recorded > 0 ? t('kept_hours', { hours: hours(recorded) }) : t('kept')}
        />
      )}
      <p className="note">{t(isSaved ? 'counted' : 'later')}</p>
    </>
  );
}

/** The streak as it grows, day by day; days off are hatched and add nothing. */
function Week({ days }: { days: Effect['streaks'][number]['week'] }) {
  const t = useTexts(effectMessages);
  const formats = useFormats('UTC'); // days have no time
  return (
    <ol className={styles.week}>
      {days.map(({ date, streak, off }) => (
        <li key={date}>
          <span
            className={styles.day}
            data-off={off ? '' : undefined}
            data-in={streak !== null && !off ? '' : undefined}
          >
            {off && <span className="visually-hidden">{t('off')}</span>}
            {!off && streak}
          </span>
          {formats.weekdayShort(date)}
          <small>{date.endsWith('-01') ? formats.shortDate(date) : Number(date.slice(8))}</small>
        </li>
      ))}
    </ol>
  );
}

function useGoalText(isPerson: boolean) {
  const t = useTexts(effectMessages);
  const track = useTexts(trackMessages);
  return ({ display_name: name, project_name: project, state, minutes }: Effect['goals'][number]) => {
    const states = { state: t('state', { before: track(state.before), after: track(state.after) }) };
    const isMoved = state.before !== state.after;
    const one = minutes.before === minutes.after ? states.state : t('minutes', minutes);
    const what = isMoved && minutes.before !== minutes.after ? t('both', { ...states, minutes: one }) : one;
    return isPerson ? t('goal_own', { project, what }) : t('goal', { name, project, what });
  };
}

/** A statement beside an icon, with the items below it, if any. */
export function IconPart({ icon, title, children }: { icon: ReactNode; title: ReactNode; children?: ReactNode }) {
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
