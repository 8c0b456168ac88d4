import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { api, type Schemas } from '../../lib/api.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { restoreProject } from './project-queries.ts';
import styles from './trash.module.css';
import { trashMessages } from './trash-messages.ts';

type Trashed = Schemas['Project'] & { deleted_at: string };

function useTrash() {
  return useInfiniteQuery({
    queryKey: ['projects', 'trash'],
    queryFn: async ({ pageParam, signal }) =>
      (await api.get('/api/projects/trash', { query: { page: pageParam, limit: 30 }, signal })).data,
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Deleted projects, latest first. Administrators see everybody's. */
export function DeletedProjects() {
  const t = useTexts(trashMessages);
  const read = useTrash();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = read;
  const { run, isDone, error: failure } = useAction(restoreProject);
  const projects = data?.pages.flatMap((page) => page.projects);
  return (
    <Card>
      <div className={styles.stack}>
        <Problem error={failure} />
        {isDone && <Notice kind="success">{t('restored')}</Notice>}
        <Loading of={read} />
        {projects?.length === 0 && (
          <Empty>
            <p>{t('empty')}</p>
          </Empty>
        )}
        {projects !== undefined && projects.length > 0 && (
          <>
            <p className="muted">{t('about')}</p>
            <ul className={styles.list}>
              {projects.map((project) => (
                <Entry key={project.id} project={project} onRestore={() => void run(project.id)} />
              ))}
            </ul>
          </>
        )}
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </div>
    </Card>
  );
}

function Entry({ project, onRestore }: { project: Trashed; onRestore: () => void }) {
  const t = useTexts(trashMessages);
  const formats = useOwnFormats();
  return (
    <li>
      <span>
        <b>{project.name}</b>
        <small>
          {t('deleted_on', { date: formats.date(project.deleted_at), hours: formats.hours(project.current_hours) })}
        </small>
      </span>
      <Button icon={<Undo2 size={16} />} aria-label={t('restore_named', { name: project.name })} onPress={onRestore}>
        {t('restore')}
      </Button>
    </li>
  );
}
