import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, Skeleton } from '../../ui/page.tsx';
import { projectMessages } from './messages.ts';
import { ProjectForm } from './project-form.tsx';
import { useProject, versionOf } from './project-queries.ts';

/** Creates a project or edits an existing one. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function EditProjectPage({ id }: { id?: number }) {
  const t = useTexts(projectMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data: project, error } = useProject(id ?? Number.NaN);
  if (id === undefined)
    return (
      <Page title={t('new')}>
        <ProjectForm />
      </Page>
    );
  if (Number.isNaN(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (project === undefined && error !== null) return <Notice kind="error">{problem(error)}</Notice>;
  if (project === undefined) return <Skeleton label={common('loading')} lines={8} />;
  return (
    <Page title={t('edit_title', { name: project.name })}>
      <ProjectForm id={id} opened={versionOf(project)} />
    </Page>
  );
}
