import { Plus } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page, Skeleton } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { projectMessages } from './messages.ts';
import { ProjectCard } from './project-card.tsx';
import { type ProjectFilter, useProjects } from './project-queries.ts';
import styles from './projects.module.css';

const statuses = ['all', 'active', 'paused', 'completed'] as const;

/** All projects visible to the user; the filter is in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ProjectsPage() {
  const t = useTexts(projectMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { role } = useAccount();
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const { data, error, isPlaceholderData } = useProjects({ ...filter, search: useDebounced(filter.search, 200) });

  function change(changed: Partial<ProjectFilter>): void {
    const next = { ...filter, page: 1, ...changed };
    const written = {
      search: next.search,
      status: next.status === 'all' ? '' : next.status,
      page: next.page > 1 ? `${next.page}` : '',
    };
    setParams(new URLSearchParams(Object.entries(written).filter(([, value]) => value !== '')), { replace: true });
  }

  const isFiltered = filter.search !== '' || filter.status !== 'all';
  const create = (
    <LinkButton href={href('newProject')} look="primary" icon={<Plus size={18} />}>
      {t('new')}
    </LinkButton>
  );
  return (
    <Page title={t('title')} actions={create}>
      <div className={styles.filters}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => change({ search })} />
        <Select
          label={t('status')}
          isLabelHidden
          value={filter.status}
          onChange={(status) => change({ status })}
          options={statuses.map((status) => [status, t(status)])}
        />
        <Link href={href('trash')}>{t('deleted_projects')}</Link>
      </div>
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={6} />}
      {data?.projects.length === 0 && (
        <Card>
          <Empty>
            <p>{isFiltered ? t('none') : t(role === 'admin' ? 'first_for_others' : 'first')}</p>
            {isFiltered ? <Button onPress={() => change({ search: '', status: 'all' })}>{t('clear')}</Button> : create}
          </Empty>
        </Card>
      )}
      {data !== undefined && (
        <ul className={styles.grid} aria-busy={isPlaceholderData}>
          {data.projects.map((project) => (
            <li key={project.id}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && (
        <Pager
          label={t('title')}
          page={filter.page}
          pages={data.pagination.pages}
          onChange={(page) => change({ page })}
        />
      )}
    </Page>
  );
}

function readFilter(params: URLSearchParams): ProjectFilter {
  const page = Number(params.get('page') ?? 1);
  return {
    status: statuses.find((status) => status === params.get('status')) ?? 'all',
    search: params.get('search') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}
