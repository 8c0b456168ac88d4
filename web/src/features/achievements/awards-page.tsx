import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card, Page, Progress, Skeleton } from '../../ui/page.tsx';
import { type Statistics, usePersonalStatistics } from '../statistics/statistics-queries.ts';
import styles from './awards.module.css';
import { type Award, type Earned, isEarned, useAwards } from './awards-queries.ts';
import { hueOfKind, Medal } from './medal.tsx';
import { awardMessages } from './messages.ts';

const maxNext = 2;
const newMilliseconds = 7 * 86_400_000;

/** The next awards, those earned, latest first, and all others. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AwardsPage() {
  const t = useTexts(awardMessages);
  const common = useTexts(commonMessages);
  const read = useAwards();
  const { data: awards } = read;
  const { data: statistics, isLoading } = usePersonalStatistics();
  if (awards === undefined || isLoading)
    return (
      <Page title={t('title')}>{read.isError ? <Loading of={read} /> : <Places label={common('loading')} />}</Page>
    );
  const earned = awards.filter(isEarned).toSorted((a, b) => b.earned_at.localeCompare(a.earned_at));
  const open = awards.filter((award) => !isEarned(award));
  const next = open
    .flatMap((award) => {
      const share = statistics && shareOf(award, statistics);
      return share === undefined ? [] : [{ award, share }];
    })
    .sort((a, b) => b.share - a.share)
    .slice(0, maxNext);
  const others = open.filter((award) => next.every((shown) => shown.award.id !== award.id));
  return (
    <Page
      title={t('title')}
      heading={
        <>
          {t('title')}{' '}
          <small className={styles.count}>{t('so_far', { done: earned.length, all: awards.length })}</small>
        </>
      }
    >
      <div className={styles.stack}>
        {(next.length > 0 || open.length === 0) && (
          <Card title={t('next')}>
            {open.length === 0 && <p className="muted">{t('all')}</p>}
            <ul className={styles.nexts}>
              {next.map(({ award, share }) => (
                <li key={award.id} data-hue={hueOfKind(award.requires.kind)}>
                  <Medal kind={award.requires.kind} isLocked />
                  <div>
                    <h3>{award.name}</h3>
                    {statistics !== undefined && <SoFar award={award} statistics={statistics} share={share} />}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <section>
          <h2>{t('earned')}</h2>
          {earned.length === 0 && <p className="muted">{t('none')}</p>}
          <ul className={styles.awards}>
            {earned.map((award) => (
              <EarnedAward key={award.id} award={award} />
            ))}
          </ul>
        </section>
        {others.length > 0 && (
          <section>
            <h2>{t('open')}</h2>
            <ul className={styles.awards}>
              {others.map(({ id, name, description, requires }) => (
                <li key={id}>
                  <Medal kind={requires.kind} isLocked />
                  <h3>{name}</h3>
                  <p>{description}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Page>
  );
}

/** The shape of the page while it is loaded. */
function Places({ label }: { label: string }) {
  const t = useTexts(awardMessages);
  return (
    <div className={styles.stack}>
      <Card title={t('next')}>
        <Skeleton label={label} lines={3} />
      </Card>
      <section aria-hidden="true">
        <h2>{t('earned')}</h2>
        <ul className={styles.awards}>
          {[1, 2, 3, 4].map((place) => (
            <li key={place} className={styles.place} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** With the date of the record that earned it. */
function EarnedAward({ award: { name, description, earned_at, requires } }: { award: Earned }) {
  const t = useTexts(awardMessages);
  const formats = useOwnFormats();
  const isNew = Date.parse(outbox.now()) - Date.parse(earned_at) < newMilliseconds;
  return (
    <li>
      {isNew && <span className={cx(styles.new)}>{t('new')}</span>}
      <Medal kind={requires.kind} />
      <h3>{name}</h3>
      <p>{description}</p>
      <p>
        <span className="visually-hidden">{t('earned')}</span> {formats.date(earned_at)}
      </p>
    </li>
  );
}

const doneOf = ({ requires: { kind } }: Award, { total_hours, current_streak }: Statistics): number | undefined =>
  kind === 'study_time' ? total_hours * 3600 : kind === 'streak' ? current_streak : undefined;

/** How much of an award that is not earned is done, where it can be measured: hours are rounded, so never all. */
function shareOf(award: Award, statistics: Statistics): number | undefined {
  const done = doneOf(award, statistics);
  return done === undefined ? undefined : Math.min(0.99, done / award.requires.amount);
}

function SoFar({ award, statistics, share }: { award: Award; statistics: Statistics; share: number }) {
  const t = useTexts(awardMessages);
  const formats = useFormats('UTC');
  const { kind, amount } = award.requires;
  if (amount <= 1) return <p>{award.description}</p>; // the first record
  const text = kind === 'study_time' ? formats.duration : (count: number) => t('days', { count });
  const done = Math.min(amount, doneOf(award, statistics) ?? 0);
  return (
    <>
      <p>{t('so_far', { done: text(done), all: text(amount) })}</p>
      <Progress percent={100 * share} label={t('progress_of', { name: award.name })} />
    </>
  );
}
