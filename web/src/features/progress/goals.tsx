import { useTexts } from '../../lib/texts.ts';
import { progressMessages } from './messages.ts';
import styles from './progress.module.css';
import type { Student } from './progress-queries.ts';

/** Goals of a student that need attention, or that all are on track. */
export function Goals({ student: { goals, projects_assigned } }: { student: Student }) {
  const t = useTexts(progressMessages);
  const { behind, near } = goals;
  if (behind + near === 0) return <span>{t(projects_assigned === 0 ? 'no_projects' : 'no_goals')}</span>;
  return (
    <span className={styles.goals}>
      {behind > 0 && <span className={styles.behind}>{t('behind', { count: behind })}</span>}
      {near > 0 && <span className={styles.near}>{t('near', { count: near })}</span>}
    </span>
  );
}
