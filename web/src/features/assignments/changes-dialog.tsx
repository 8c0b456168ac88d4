import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Project, Student } from './board-queries.ts';
import type { Changes, Pairs } from './changes.ts';
import { assignMessages } from './messages.ts';
import styles from './staged-bar.module.css';

const maxStudents = 200;
const maxNames = 10;

type Props = {
  changes: Changes;
  projects: readonly Project[];
  students: readonly Student[];
  onClose: () => void;
};

type Folded = { people: string[]; added: string | undefined; removed: string | undefined };

/** The staged changes by student, up to `maxStudents`; students with the same changes share an entry. */
export function ChangesDialog({ changes, projects, students, onClose }: Props) {
  const t = useTexts(assignMessages);
  const common = useTexts(commonMessages);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const changing = students.filter(({ id }) => changes.add.has(id) || changes.remove.has(id));
  function listOf(texts: readonly string[]): string {
    const rest = texts.length - maxNames;
    return [...texts.slice(0, maxNames), ...(rest > 0 ? [t('and_more', { count: rest })] : [])].join(' · ');
  }
  function describe(pairs: Pairs, id: number): string | undefined {
    const ids = pairs.get(id);
    if (ids === undefined) return undefined;
    return listOf(ids.map((project) => names.get(project) ?? ''));
  }
  const folded = new Map<string, Folded>();
  for (const { id, display_name } of changing) {
    const [added, removed] = [describe(changes.add, id), describe(changes.remove, id)];
    const key = JSON.stringify([changes.add.get(id), changes.remove.get(id)]);
    const known = folded.get(key);
    if (known === undefined) folded.set(key, { people: [display_name], added, removed });
    else known.people.push(display_name);
  }
  return (
    <Dialog title={t('see_title')} isOpen onClose={onClose}>
      <ul className={styles.changes}>
        {[...folded.values()].slice(0, maxStudents).map(({ people, added, removed }) => (
          <li key={people[0]}>
            <strong>{listOf(people)}</strong>
            {added !== undefined && <p>{t('added_to', { names: added })}</p>}
            {removed !== undefined && <p className={styles.removed}>{t('removed_from', { names: removed })}</p>}
          </li>
        ))}
      </ul>
      {folded.size > maxStudents && <p>{t('and_more', { count: folded.size - maxStudents })}</p>}
      <Button onPress={onClose}>{common('close')}</Button>
    </Dialog>
  );
}
