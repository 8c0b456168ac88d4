import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Loading } from '../../ui/loading.tsx';
import { Card, Progress } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PeopleTable, type PersonColumn } from '../../ui/people-table.tsx';
import { projectMessages } from './messages.ts';
import type { ShownProject } from './project-queries.ts';

const membersPerPage = 50;

type Member = NonNullable<ReturnType<typeof useMembers>['data']>['members'][number];

/** A project's members, for its owner and administrators. */
export function Members({ project: { id, target_hours, target_scope } }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const { id: userId, timezone, role } = useAccount();
  const formats = useFormats(timezone);
  const [page, setPage] = useState(1);
  const read = useMembers(id, page);
  const { members, pages = 1 } = read.data ?? {};
  const nameOf = ({ username, display_name }: Member) => (display_name === '' ? username : display_name);
  const whoIs = (member: Member) => ({
    id: member.user_id,
    name: nameOf(member),
    to: role === 'admin' ? href('student', { id: member.user_id }) : undefined,
    detail: member.active_assignment || member.user_id === userId ? undefined : t('former'),
  });
  const progress: PersonColumn<Member> = {
    id: 'progress',
    text: '',
    place: 'side',
    cell: (member) => <Progress percent={member.progress ?? 0} label={t('progress_of', { name: nameOf(member) })} />,
  };
  const columns: readonly PersonColumn<Member>[] = [
    {
      id: 'last_study',
      text: t('last_study'),
      place: 'state',
      className: table.muted,
      cell: ({ last_session: last }) => (last === null ? t('never') : formats.daysAgo(last)),
    },
    { id: 'hours', text: t('hours'), place: 'corner', className: table.end, cell: ({ hours }) => formats.hours(hours) },
    ...(target_scope === 'each' && target_hours > 0 ? [progress] : []),
  ];
  return (
    <Card title={t('members')} isFlush>
      <Loading of={read} lines={5} />
      {members?.length === 0 && <p>{t('no_members')}</p>}
      {members !== undefined && members.length > 0 && (
        <PeopleTable label={t('members')} title={t('member')} people={members} whoIs={whoIs} columns={columns} />
      )}
      <Pager label={t('members')} page={page} pages={pages} onChange={setPage} />
    </Card>
  );
}

/** A page of a project's members, including former ones. */
function useMembers(id: number, page: number) {
  return useQuery({
    queryKey: ['projects', 'members', id, page],
    queryFn: async ({ signal }) => {
      const query = { page, limit: membersPerPage };
      const { data: members, pagination } = await api.get('/api/projects/{id}/members', {
        params: { id },
        query,
        signal,
      });
      return { members, pages: pagination?.pages ?? 1 };
    },
    placeholderData: keepPreviousData,
  });
}
