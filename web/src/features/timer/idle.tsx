import { Play } from 'lucide-react';
import { useState } from 'react';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { useRecords } from '../study-sessions/session-queries.ts';
import { Earlier } from './earlier.tsx';
import { timerMessages } from './messages.ts';
import styles from './timer.module.css';

type Props = {
  /** The project studied last. */
  recent: number | undefined;
  isStarting: boolean;
  onStart: (project: Pick<Project, 'id' | 'name'>, minutesAgo?: number) => void;
};

/** Selects a project and starts the timer, now or in the past. */
export function Idle({ recent, isStarting, onStart }: Props) {
  const t = useTexts(timerMessages);
  const { id: userId } = useAccount();
  const { data: projects } = useActiveProjects();
  const { data: records } = useRecords(userId);
  const [chosen, setChosen] = useState<number>();
  const last = recent ?? records?.pages[0]?.sessions[0]?.project_id;
  const find = (id: number | undefined) => projects?.find((project) => project.id === id);
  const project = find(chosen) ?? find(last) ?? projects?.[0];
  useShortcuts(
    project === undefined || isStarting
      ? {}
      : { [shortcuts.timer]: () => onStart(project), [shortcuts.earlier]: () => onStart(project, 15) },
  );
  if (projects === undefined) return null; // still loading, or offline
  if (project === undefined) return <p className={styles.hint}>{t('no_projects')}</p>;
  return (
    <>
      <div className={styles.project}>
        <Select
          label={t('project')}
          isLabelHidden
          value={String(project.id)}
          onChange={(id) => setChosen(Number(id))}
          options={projects.map(({ id, name }) => [String(id), name])}
        />
      </div>
      <Button
        look="primary"
        icon={<Play size={16} fill="currentColor" />}
        isPending={isStarting}
        onPress={() => onStart(project)}
      >
        {t('start')}
      </Button>
      <Earlier onPress={(minutes) => onStart(project, minutes)} />
    </>
  );
}
