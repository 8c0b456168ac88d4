import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { LoadingPage } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { projectMessages } from './messages.ts';
import { ProjectForm } from './project-form.tsx';
import { useProject, versionOf } from './project-queries.ts';

/** Creates a project or edits an existing one. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function EditProjectPage({ id }: { id?: number }) {
  const t = useTexts(projectMessages);
  const read = useProject(id ?? Number.NaN);
  const { data: project, error } = read;
  if (id === undefined)
    return (
      <Page title={t('new')}>
        <ProjectForm />
      </Page>
    );
  if (Number.isNaN(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (project === undefined) return <LoadingPage title={t('title')} of={read} />;
  return (
    <Page title={t('edit_title', { name: project.name })}>
      <ProjectForm id={id} opened={versionOf(project)} />
    </Page>
  );
}
