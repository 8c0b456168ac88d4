import { Ellipsis, ListChecks, Printer } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading, LoadingPage } from '../../ui/loading.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { Write } from '../progress/write.tsx';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import { ClassOverview } from './class-overview.tsx';
import { classPeriods, periodDays } from './class-period.ts';
import { ClassProjects } from './class-projects.tsx';
import { useClassStatistics } from './class-queries.ts';
import { ComparePage } from './compare/compare-page.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { type GroupDetail, groupsChanged, useGroup } from './group-queries.ts';
import { Members } from './members.tsx';
import { groupMessages } from './messages.ts';
import { NameDialog } from './name-dialog.tsx';

/** A class: its figures, its students and its projects. Tab and period are in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function GroupPage({ id }: { id: number }) {
  const t = useTexts(groupMessages);
  const read = useGroup(id);
  const { data: group, error } = read;
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (group !== undefined) return <Content group={group} />;
  return <LoadingPage title={t('title')} of={read} />;
}

function Content({ group }: { group: GroupDetail }) {
  const t = useTexts(groupMessages);
  const text = useTexts(classMessages);
  const [, navigate] = useLocation();
  const isLimited = useIsLimited();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const { filter, change } = useUrlFilter({ tab: '', period: '', on: '', beside: '' });
  const { id, name, members } = group;
  // An empty class begins with its students.
  const tab = filter.tab !== '' ? filter.tab : members.length === 0 ? 'students' : 'overview';
  const period = classPeriods.find((known) => known === filter.period) ?? 'week';
  const figures = useClassStatistics(id);
  const { data: statistics } = figures;
  const close = () => setOpen(undefined);
  const here = href('group', { id });
  const tabs = [
    ['overview', undefined],
    ['compare', undefined],
    ['students', members.length],
    ['projects', statistics?.projects_total],
  ] as const;
  const ids = members.filter(({ status }) => status === 'active').map(({ user_id }) => user_id);
  const actions = (
    <>
      <LinkButton
        href={`${href('reports')}?group=${id}&days=${periodDays[period]}`}
        icon={<Printer size={18} strokeWidth={1.75} />}
      >
        {text('print_reports')}
      </LinkButton>
      <Write ids={ids} text="write" />
      <span className={styles.together}>
        <LinkButton
          href={`${href('assign')}?group=${id}&add=all`}
          look="primary"
          icon={<ListChecks size={18} strokeWidth={1.75} />}
        >
          {t('assign')}
        </LinkButton>
        <Menu
          label={t('actions', { name })}
          trigger={{ 'aria-label': t('actions', { name }), icon: <Ellipsis size={20} /> }}
          entries={[
            { id: 'progress', text: t('progress') },
            ...(isLimited
              ? []
              : [
                  { id: 'rename', text: t('rename') },
                  { id: 'delete', text: t('delete') },
                ]),
          ]}
          onAction={(action) => {
            if (action === 'progress') navigate(`${href('students')}?group_id=${id}`);
            else setOpen(action === 'rename' ? action : 'delete');
          }}
        />
      </span>
    </>
  );
  return (
    <Page title={name} above={<Link href={href('groups')}>{t('title')}</Link>} actions={actions}>
      <Tabs
        label={text('tabs')}
        tabs={tabs.map(([each, count]) => ({
          href: `${here}?tab=${each}`,
          text: text(each),
          count,
          isCurrent: tab === each,
        }))}
      />
      {tab === 'students' ? (
        <Members group={group} onAdded={() => change({ tab: 'students' })} />
      ) : tab === 'projects' ? (
        <>
          <Loading of={figures} lines={8} />
          {statistics !== undefined && <ClassProjects statistics={statistics} />}
        </>
      ) : tab === 'compare' ? (
        <ComparePage id={id} kind={period} on={filter.on} beside={filter.beside} change={change} />
      ) : (
        <ClassOverview id={id} kind={period} on={filter.on} change={change} />
      )}
      {open === 'rename' && <NameDialog group={group} onClose={close} onSaved={close} />}
      {open === 'delete' && (
        <DeleteGroup
          group={group}
          onClose={close}
          onDeleted={() => {
            navigate(href('groups'));
            toast({ text: t('was_deleted', { name }) });
            void groupsChanged();
          }}
        />
      )}
    </Page>
  );
}
