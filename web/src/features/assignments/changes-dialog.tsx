import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './assign.module.css';
import type { Project, Student } from './board-queries.ts';
import type { Changes, Pairs } from './changes.ts';
import { assignMessages } from './messages.ts';

const maxStudents = 200;
const maxNames = 10;

type Props = {
  changes: Changes;
  projects: readonly Project[];
  students: readonly Student[];
  onClose: () => void;
};

/** The staged changes by student, up to `maxStudents`. */
export function ChangesDialog({ changes, projects, students, onClose }: Props) {
  const t = useTexts(assignMessages);
  const common = useTexts(commonMessages);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const changing = students.filter(({ id }) => changes.add.has(id) || changes.remove.has(id));
  function describe(pairs: Pairs, id: number): string | undefined {
    const ids = pairs.get(id);
    if (ids === undefined) return undefined;
    const shown = ids.slice(0, maxNames).map((project) => names.get(project));
    const rest = ids.length - shown.length;
    return [...shown, ...(rest > 0 ? [t('and_more', { count: rest })] : [])].join(' · ');
  }
  return (
    <Dialog title={t('see_title')} isOpen onClose={onClose}>
      <ul className={styles.changes}>
        {changing.slice(0, maxStudents).map(({ id, display_name }) => {
          const [added, removed] = [describe(changes.add, id), describe(changes.remove, id)];
          return (
            <li key={id}>
              <strong>{display_name}</strong>
              {added !== undefined && <p>{t('added_to', { names: added })}</p>}
              {removed !== undefined && <p className={styles.removed}>{t('removed_from', { names: removed })}</p>}
            </li>
          );
        })}
      </ul>
      {changing.length > maxStudents && <p>{t('and_more', { count: changing.length - maxStudents })}</p>}
      <Button onPress={onClose}>{common('close')}</Button>
    </Dialog>
  );
}
