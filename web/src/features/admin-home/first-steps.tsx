import { Check } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Card, Progress } from '../../ui/page.tsx';
import type { FirstHour } from './first-hour.ts';
import { firstHourMessages } from './first-hour-messages.ts';
import styles from './first-steps.module.css';
import picture from './school.svg?no-inline';

const steps = ['students', 'group', 'project', 'slips'] as const;

/** What a new school has done and what comes next, until everything is done. */
export function FirstSteps({ of: { done, count, signedIn, group } }: { of: FirstHour }) {
  const t = useTexts(firstHourMessages);
  const finished = steps.filter((step) => done[step]).length;
  const next = steps.find((step) => !done[step]);
  const name = group?.name ?? '';
  const toClass = group === undefined ? href('groups') : href('group', { id: group.id });
  const texts = {
    students: done.students
      ? [t('students_done', { count }), t('signed_in', { count: signedIn, all: count })]
      : [t('students'), t('students_how')],
    group: done.group
      ? [t('group_done', { name }), t('members', { count: group?.members_count ?? 0 })]
      : [t('group'), t('group_how')],
    project: [t(done.project ? 'project_done' : 'project'), t('project_how')],
    slips: [t('slips'), t('slips_how')],
  } as const;
  const links = {
    students: [href('newUsers'), t(done.students ? 'add_more' : 'students_do')],
    group: [toClass, t(done.group ? 'open_class' : 'group_do')],
    project: [href('newProject'), t('project_do')],
    slips: [href('users'), t('slips_do')],
  } as const;
  return (
    <Card className={styles.card}>
      <div className={styles.head}>
        <div>
          <h2>{t('title')}</h2>
          <p>{t('intro')}</p>
          <Progress percent={(finished / steps.length) * 100} label={t('title')} />
          <p className={styles.count}>{t('count', { count: finished, all: steps.length })}</p>
        </div>
        <img src={picture} alt="" width="240" height="140" />
      </div>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} className={cx(step === next && styles.next)}>
            <span className={cx(styles.mark, done[step] && styles.done)}>
              {done[step] ? <Check size={16} aria-label={t('is_done')} /> : index + 1}
            </span>
            <div>
              <h3>{texts[step][0]}</h3>
              <p>{texts[step][1]}</p>
            </div>
            <LinkButton href={links[step][0]} look={step === next ? 'primary' : 'plain'} isSmall={step !== next}>
              {links[step][1]}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Card>
  );
}
