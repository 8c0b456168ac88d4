import { formatClock, useFormats } from '../../lib/format.ts';
import { isChinese, useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import type { Plan } from '../plan/use-plan.ts';
import type { Week } from '../plan/week-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './ring.module.css';

const [radius, gap] = [58, 2];
const around = 2 * Math.PI * radius;

type Props = { plan: Plan; week: Week; hueOf: (id: number) => number };

/** The day as a ring: what is studied is solid, what is planned pale. It closes when the plan is done. */
export function RingCard({ plan, week, hueOf }: Props) {
  const t = useTexts(todayMessages);
  const formats = useFormats('UTC');
  const { locale } = useSettings();
  const whole = plan.done + plan.toGo;
  const percent = whole === 0 ? 0 : Math.floor((plan.done / whole) * 100);
  // Inside the ring Chinese durations of hours and minutes are too long.
  const ringTime = (seconds: number) =>
    isChinese(locale) && seconds > 3600 && seconds % 3600 !== 0
      ? formatClock(seconds).replace(/:\d\d$/, '')
      : formats.duration(seconds);
  const solid = week.today.parts.map(({ id, seconds }) => ({ id, seconds, hue: hueOf(id), isPale: false }));
  const pale = plan.items.flatMap(({ project: { id, color }, left }) =>
    left > 0 ? [{ id: -id, seconds: left, hue: color, isPale: true }] : [],
  );
  let at = 0;
  return (
    <Card
      title={t('title')}
      actions={plan.isOpen ? undefined : <span className="note">{t('percent_of_plan', { percent })}</span>}
      className={styles.card}
    >
      <svg
        className={styles.ring}
        viewBox="0 0 148 148"
        role="progressbar"
        aria-label={t('plan_label')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <circle className={styles.track} cx="74" cy="74" r={radius} />
        {whole > 0 &&
          [...solid, ...pale].map(({ id, seconds, hue, isPale }) => {
            const share = (seconds / Math.max(whole, 1)) * around;
            const from = at;
            at += share;
            return (
              <circle
                key={id}
                className={isPale ? styles.pale : styles.part}
                data-hue={hue}
                cx="74"
                cy="74"
                r={radius}
                strokeDasharray={`${Math.max(1, share - (share < around ? gap : 0))} ${around}`}
                strokeDashoffset={-from}
                transform="rotate(-90 74 74)"
              />
            );
          })}
        <text className={styles.total} x="74" y={plan.toGo > 0 ? 75 : 80} textAnchor="middle">
          {ringTime(plan.done)}
        </text>
        {plan.toGo > 0 && (
          <text className={styles.of} x="74" y="94" textAnchor="middle">
            {t('of_goal', { goal: ringTime(Math.ceil(whole / 60) * 60) })}
          </text>
        )}
      </svg>
      {pale.length > 0 && <p className={styles.legend}>{t('ring_legend')}</p>}
    </Card>
  );
}
