import {
  Archive,
  CircleCheck,
  CirclePause,
  CirclePlay,
  Layers,
  type LucideIcon,
  Plus,
  TriangleAlert,
} from 'lucide-react';
import { useSearchParams } from 'wouter';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { DeletedProjects } from './deleted-projects.tsx';
import { useForecasts } from './forecast-queries.ts';
import { listMessages } from './list-messages.ts';
import { projectMessages } from './messages.ts';
import { ProjectCard } from './project-card.tsx';
import { type ProjectFilter, shownStates, sorts, useProjects, useStateCounts } from './project-queries.ts';
import styles from './projects.module.css';

const icons: Readonly<Record<ProjectFilter['state'], LucideIcon>> = {
  all: Layers,
  active: CirclePlay,
  attention: TriangleAlert,
  paused: CirclePause,
  completed: CircleCheck,
  deleted: Archive,
};

/** All projects visible to the user; the filter is in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ProjectsPage() {
  const t = useTexts(listMessages);
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const { data: counts } = useStateCounts();

  function change(changed: Partial<ProjectFilter>): void {
    const next = { ...filter, page: 1, ...changed };
    const written = {
      search: next.search,
      state: next.state === 'all' ? '' : next.state,
      sort: next.sort === 'recent' ? '' : next.sort,
      page: next.page > 1 ? `${next.page}` : '',
    };
    setParams(new URLSearchParams(Object.entries(written).filter(([, value]) => value !== '')), { replace: true });
  }

  return (
    <Page title={t('title')} actions={<NewProject />}>
      <fieldset className={styles.states}>
        <legend className="visually-hidden">{t('state')}</legend>
        {shownStates.map((state) => (
          <FilterChip
            key={state}
            Icon={icons[state]}
            text={t(state)}
            count={state === 'deleted' ? undefined : (counts?.[state] ?? uncounted)}
            isOn={filter.state === state}
            onChange={(isOn) => change({ state: isOn ? state : 'all' })}
          />
        ))}
      </fieldset>
      {filter.state === 'deleted' ? <DeletedProjects /> : <List filter={filter} onChange={change} />}
    </Page>
  );
}

/** As wide as a figure. */
const uncounted = '\u2007';

function NewProject() {
  const t = useTexts(projectMessages);
  return (
    <LinkButton href={href('newProject')} look="primary" icon={<Plus size={18} />}>
      {t('new')}
    </LinkButton>
  );
}

type ListProps = { filter: ProjectFilter; onChange: (changed: Partial<ProjectFilter>) => void };

function List({ filter, onChange }: ListProps) {
  const t = useTexts(projectMessages);
  const list = useTexts(listMessages);
  const { role } = useAccount();
  const read = useProjects({ ...filter, search: useDebounced(filter.search, 200) });
  const { data, isPlaceholderData } = read;
  const studied = role === 'user' ? (data?.projects ?? []).filter(({ status }) => status === 'active') : [];
  const { forecasts } = useForecasts(studied.map(({ id }) => id));
  const isFiltered = filter.search !== '' || filter.state !== 'all';
  return (
    <>
      <div className={styles.filters}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => onChange({ search })} />
        <Select
          label={list('sort')}
          isLabelHidden
          value={filter.sort}
          onChange={(sort) => onChange({ sort })}
          options={sorts.map((sort) => [sort, list(sort)])}
        />
      </div>
      <Loading of={read} lines={6} />
      {data?.projects.length === 0 && (
        <Card>
          <Empty>
            <p>{isFiltered ? t('none') : t(role === 'admin' ? 'first_for_others' : 'first')}</p>
            {isFiltered ? (
              <Button onPress={() => onChange({ search: '', state: 'all' })}>{t('clear')}</Button>
            ) : (
              <NewProject />
            )}
          </Empty>
        </Card>
      )}
      {data !== undefined && (
        <>
          <ul className={styles.grid} aria-busy={isPlaceholderData}>
            {data.projects.map((project) => (
              <li key={project.id}>
                <ProjectCard project={project} forecast={forecasts.get(project.id)} />
              </li>
            ))}
          </ul>
          <Pager
            label={t('title')}
            page={filter.page}
            pages={data.pagination.pages}
            onChange={(page) => onChange({ page })}
          />
        </>
      )}
    </>
  );
}

function readFilter(params: URLSearchParams): ProjectFilter {
  const page = Number(params.get('page') ?? 1);
  return {
    state: shownStates.find((state) => state === params.get('state')) ?? 'all',
    sort: sorts.find((sort) => sort === params.get('sort')) ?? 'recent',
    search: params.get('search') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}
