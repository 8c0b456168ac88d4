import { Link, useSearchParams } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { LoadingPage } from '../../ui/loading.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAwards } from '../achievements/awards-queries.ts';
import { Medal } from '../achievements/medal.tsx';
import { Records } from '../study-sessions/records.tsx';
import { Glyph } from './glyph.tsx';
import { Members } from './members.tsx';
import { projectMessages } from './messages.ts';
import { Overview } from './overview.tsx';
import { overviewMessages } from './overview-messages.ts';
import { ProjectActions } from './project-actions.tsx';
import { type ShownProject, useOwnProjectStatistics, useProject } from './project-queries.ts';
import { ProjectRecords } from './project-records.tsx';
import projectStyles from './projects.module.css';

type Part = 'overview' | 'records' | 'class' | 'awards';

/** One project: whether it is on track, its records, members and awards. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ProjectPage({ id }: { id: number }) {
  const t = useTexts(projectMessages);
  const read = useProject(id);
  const { data: project, error } = read;
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND') || isApiError(error, 'PERMISSION_DENIED'))
    return <NoPage />;
  if (project === undefined) return <LoadingPage title={t('title')} of={read} />;
  return <Shown project={project} />;
}

function Shown({ project }: { project: ShownProject }) {
  const t = useTexts(overviewMessages);
  const common = useTexts(projectMessages);
  const { id: userId, role } = useAccount();
  const [params] = useSearchParams();
  const { id, name, category, achievements, user_id, assigned_user_ids } = project;
  const isAdmin = role === 'admin';
  const { data: own } = useOwnProjectStatistics(id);
  const hasMembers = isAdmin || (user_id === userId && assigned_user_ids.some((member) => member !== userId));
  const hasAwards = !(hasMembers && areOthersIn(project)); // otherwise they are those of the class
  const counts: Partial<Record<Part, number | undefined>> = {
    records: isAdmin ? project.sessions_count : own?.total_sessions,
    class: project.members_count ?? undefined,
    awards: achievements.length,
  };
  const parts: Part[] = [
    'overview',
    'records',
    ...(hasMembers ? (['class'] as const) : []),
    ...(hasAwards ? (['awards'] as const) : []),
  ];
  // The form to add a record is among the records.
  const wanted = params.has('add') ? 'records' : params.get('tab');
  const current = parts.find((part) => part === wanted) ?? 'overview';
  const page = href('project', { id });
  const pathOf = (part: Part) => (part === 'overview' ? page : `${page}?tab=${part}`);
  return (
    <div data-hue={project.color}>
      <Page
        title={name}
        mark={<Glyph project={project} isLarge />}
        above={
          <>
            <Link href={href('projects')}>{common('title')}</Link> / {common(category)}
          </>
        }
        actions={<ProjectActions project={project} />}
      >
        <Tabs
          label={t('parts')}
          tabs={parts.map((part) => ({
            href: pathOf(part),
            text: t(part),
            count: counts[part],
            isCurrent: part === current,
          }))}
        />
        <div className="stack">
          {current === 'overview' && <Overview project={project} recordsAt={pathOf('records')} />}
          {current === 'records' && (isAdmin ? <ProjectRecords id={id} /> : <Records projectId={id} />)}
          {current === 'class' && <Members project={project} />}
          {current === 'class' && !hasAwards && <Awards project={project} />}
          {current === 'awards' && <Awards project={project} />}
        </div>
      </Page>
    </div>
  );
}

/** Whether the hours and awards of a project are not only the reader's own. */
const areOthersIn = ({ own_hours, current_hours }: ShownProject): boolean => own_hours !== current_hours;

function Awards({ project }: { project: ShownProject }) {
  const { achievements } = project;
  const t = useTexts(overviewMessages);
  const isShared = areOthersIn(project);
  const formats = useOwnFormats();
  const { data: awards } = useAwards();
  const size = 48;
  return (
    <Card title={t(isShared ? 'class_awards' : 'awards')}>
      {isShared && (
        <p className="muted">
          {t('earned_together')} <Link href={href('awards')}>{t('own_awards')}</Link>
        </p>
      )}
      {achievements.length === 0 && <p className="muted">{t('no_awards')}</p>}
      <ul className={projectStyles.awards}>
        {achievements.map(({ id, name, earned_at }) => {
          const kind = awards?.find((award) => award.id === id)?.requires.kind;
          return (
            <li key={id}>
              {kind === undefined ? (
                <svg width={size} height={size} aria-hidden="true" />
              ) : (
                <Medal kind={kind} size={size} />
              )}
              <span>
                {name}
                <small>{formats.date(earned_at)}</small>
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
