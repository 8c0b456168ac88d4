import { Route, Switch } from 'wouter';
import { loadable } from '../lib/loadable.tsx';
import { useIsLimited } from '../lib/session.ts';
import { pattern } from '../routes.ts';
import { NoPage } from './no-page.tsx';

const HomePage = loadable(() => import('../features/admin-home/admin-home-page.tsx'));
const AssignPage = loadable(() => import('../features/assignments/assign-page.tsx'));
const StudentsPage = loadable(() => import('../features/progress/students-page.tsx'));
const StudentPage = loadable(() => import('../features/progress/student-page.tsx'));
const ReportsPage = loadable(() => import('../features/progress/reports-page.tsx'));
const UsersPage = loadable(() => import('../features/users/users-page.tsx'));
const NewUsersPage = loadable(() => import('../features/users/new-users-page.tsx'));
const RosterPage = loadable(() => import('../features/roster/roster-page.tsx'));
const UserPage = loadable(() => import('../features/users/user-page.tsx'));
const GroupsPage = loadable(() => import('../features/groups/groups-page.tsx'));
const GroupPage = loadable(() => import('../features/groups/group-page.tsx'));
const SchoolYearPage = loadable(() => import('../features/school-year/school-year-page.tsx'));
const AuditPage = loadable(() => import('../features/audit/audit-page.tsx'));
const BackgroundWorkPage = loadable(() => import('../features/background-work/background-work-page.tsx'));
const WebhooksPage = loadable(() => import('../features/webhooks/webhooks-page.tsx'));
const InboxPage = loadable(() => import('../features/inbox/inbox-page.tsx'));

/** The pages that only administrators have; the last ones, only those of the whole school. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AdminPages() {
  const isLimited = useIsLimited();
  return (
    <Switch>
      <Route path={pattern('today')}>
        <HomePage />
      </Route>
      <Route path={pattern('assign')}>
        <AssignPage />
      </Route>
      <Route path={pattern('students')}>
        <StudentsPage />
      </Route>
      <Route<{ id: string }> path={pattern('student')}>{({ id }) => <StudentPage key={id} id={Number(id)} />}</Route>
      <Route path={pattern('reports')}>
        <ReportsPage />
      </Route>
      <Route path={pattern('users')}>
        <UsersPage />
      </Route>
      <Route path={pattern('newUsers')}>
        <NewUsersPage />
      </Route>
      <Route path={pattern('roster')}>
        <RosterPage />
      </Route>
      <Route<{ id: string }> path={pattern('user')}>{({ id }) => <UserPage key={id} id={Number(id)} />}</Route>
      <Route path={pattern('groups')}>
        <GroupsPage />
      </Route>
      <Route<{ id: string }> path={pattern('group')}>{({ id }) => <GroupPage key={id} id={Number(id)} />}</Route>
      <Route path={pattern('schoolYear')}>
        <SchoolYearPage />
      </Route>
      {!isLimited && (
        <>
          <Route path={pattern('audit')}>
            <AuditPage />
          </Route>
          <Route path={pattern('webhooks')}>
            <WebhooksPage />
          </Route>
          <Route path={pattern('backgroundWork')}>
            <BackgroundWorkPage />
          </Route>
          <Route<{ id?: string }> path={`${pattern('inbox')}/:id?`}>
            {({ id }) => <InboxPage {...(id !== undefined && { id: Number(id) })} />}
          </Route>
        </>
      )}
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
