import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import styles from './import.module.css';
import { importMessages } from './messages.ts';
import type { Import, Named } from './use-import.ts';

/** The project for each name in the file. */
export function ProjectsStep({ wizard }: { wizard: Import }) {
  const { named } = wizard;
  const t = useTexts(importMessages);
  return (
    <Card title={t('step_projects')} context={t('projects_why')}>
      <ul className={styles.projects}>
        {named.map((project) => (
          <li key={project.project_name}>
            <span>
              <strong>{project.project_name}</strong>
              <small>{t('records_of', { count: project.sessions })}</small>
            </span>
            <ProjectFor wizard={wizard} project={project} />
          </li>
        ))}
        <li>
          <DefaultProject wizard={wizard} />
        </li>
      </ul>
    </Card>
  );
}

function ProjectFor({ wizard: { options, set }, project }: { wizard: Import; project: Named }) {
  const { project_name: name, project_id: id } = project;
  const t = useTexts(importMessages);
  const { data: projects } = useActiveProjects();
  const chosen = options.project_map[name];
  function choose(value: string): void {
    const { [name]: _, ...others } = options.project_map;
    if (value === 'same') set({ project_map: others });
    else set({ project_map: { ...others, [name]: value === 'none' ? null : Number(value) } });
  }
  return (
    <Select
      label={t('project_for', { name })}
      isLabelHidden
      value={chosen === undefined ? 'same' : String(chosen ?? 'none')}
      onChange={choose}
      options={[
        ['same', id === null ? t('new_project', { name }) : name],
        ...(projects ?? []).filter((other) => other.id !== id).map((other) => [String(other.id), other.name] as const),
        ['none', t('leave_out')],
      ]}
    />
  );
}

/** The project of rows that name none. */
export function DefaultProject({ wizard: { options, set } }: { wizard: Import }) {
  const t = useTexts(importMessages);
  const { data: projects } = useActiveProjects();
  return (
    <Select
      label={t('without_project')}
      value={options.default_project}
      onChange={(default_project) => set({ default_project })}
      options={[['', t('leave_out')], ...(projects ?? []).map(({ id, name }) => [String(id), name] as const)]}
    />
  );
}
