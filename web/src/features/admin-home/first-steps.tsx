import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import styles from './admin-home.module.css';
import { adminHomeMessages } from './messages.ts';

/** While there are no students. */
export function FirstSteps() {
  const t = useTexts(adminHomeMessages);
  const steps = [
    ['newUsers', 'first_students'],
    ['groups', 'first_group'],
    ['newProject', 'first_project'],
  ] as const;
  return (
    <Card title={t('first_steps')}>
      <ol className={styles.list}>
        {steps.map(([page, text]) => (
          <li key={page}>
            <Link href={href(page)}>{t(text)}</Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
