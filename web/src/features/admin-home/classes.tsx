import { Link } from 'wouter';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Empty } from '../../ui/page.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { ClassTable } from '../groups/class-table.tsx';
import type { Student } from '../progress/progress-queries.ts';
import styles from './admin-home.module.css';
import { useWhomToAsk } from './home-queries.ts';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';

/** Every class at a glance. */
export function Classes({ students }: { students: readonly Student[] }) {
  const t = useTexts(adminHomeMessages);
  const names = useWhomToAsk();
  const title = t(useIsLimited() ? 'your_classes' : 'classes');
  return (
    <Card
      title={title}
      {...(names !== undefined && { context: t('ask', { names }) })}
      actions={<Link href={href('groups')}>{t('all_groups')}</Link>}
      className={styles.whole}
      isFlush
    >
      <Loaded of={useGroups()}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty>{t('no_classes')}</Empty>
          ) : (
            <ClassTable label={title} classes={groups} students={students} />
          )
        }
      </Loaded>
    </Card>
  );
}
