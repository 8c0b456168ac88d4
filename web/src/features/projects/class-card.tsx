import type { ReactNode } from 'react';
import type { Schemas } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import styles from './facts.module.css';
import layout from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';
import type { ShownProject } from './project-queries.ts';

/**
 * One's own hours beside those of the class, and one's own streak; administrators see the class alone. Members of small
 * classes see their own only: an average of few people would name them.
 */
export function ClassCard({ project, own }: { project: ShownProject; own: Schemas['Statistics'] | undefined }) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC');
  const { role } = useAccount();
  const { members_count: count, target_hours: target, current_hours: total } = project;
  const average = count === null || count < 2 ? undefined : total / count;
  const isPersonalTarget = target > 0 && project.target_scope === 'each';
  const most = target > 0 ? target : Math.max(own?.total_hours ?? 0, average ?? 0, 0.01);
  const of = isPersonalTarget && <span className={styles.of}> {t('of', { hours: formats.hours(target) })}</span>;
  const title = role === 'admin' ? 'the_class' : average === undefined ? 'your_time' : 'you_and_class';
  return (
    <Card
      title={t(title)}
      className={layout.class}
      actions={
        average !== undefined && count !== null ? (
          <span className={layout.whose}>{t('students', { count })}</span>
        ) : undefined
      }
    >
      <div className={styles.shares}>
        {own !== undefined && (
          <Share label={t('you')} hours={own.total_hours} most={most}>
            <b>{formats.hours(own.total_hours)}</b>
            {of}
          </Share>
        )}
        {average !== undefined && (
          <Share label={t('class_average')} hours={average} most={most} isPlain={role !== 'admin'}>
            <b>{formats.hours(average)}</b>
            {of}
          </Share>
        )}
        {(average !== undefined || own === undefined) && (
          <p>
            <span>
              {t('class_total')} <HowCounted figure="project_total" name={t('class_total')} />
            </span>
            <b>{formats.hours(total)}</b>
          </p>
        )}
      </div>
      {own !== undefined && (
        <dl className={styles.pair}>
          <div>
            <dt>
              {t('streak')} <HowCounted figure="project_own_streak" name={t('streak')} />
            </dt>
            <dd className={styles.figure}>
              {own.current_streak} <small className={styles.unit}>{t('day', { count: own.current_streak })}</small>
            </dd>
          </div>
          <div>
            <dt>{t('longest')}</dt>
            <dd className={styles.figure}>
              {own.longest_streak} <small className={styles.unit}>{t('day', { count: own.longest_streak })}</small>
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

type ShareProps = { label: string; hours: number; most: number; isPlain?: boolean; children: ReactNode };

function Share({ label, hours, most, isPlain = false, children }: ShareProps) {
  return (
    <>
      <p>
        <span>{label}</span>
        <span>{children}</span>
      </p>
      <span className={cx(styles.meter, isPlain && styles.plain)} aria-hidden="true">
        <span style={{ width: `${Math.min(100, (hours / most) * 100)}%` }} />
      </span>
    </>
  );
}
