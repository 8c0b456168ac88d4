import { ChevronDown, ChevronUp, Ellipsis, Printer } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError, type Schemas } from '../../lib/api.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading, LoadingPage } from '../../ui/loading.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { useUser } from '../statistics/statistics-queries.ts';
import { PersonTabs } from '../users/person-tabs.tsx';
import { inAttention, useEveryone } from './everyone.ts';
import { progressMessages } from './messages.ts';
import { useStudentProgress } from './progress-queries.ts';
import { studentMessages } from './student/student-messages.ts';
import { StudentOverview } from './student/student-overview.tsx';
import { useLetter } from './student/use-letter.ts';
import { StudentRecords } from './student-records.tsx';
import { stepsFrom } from './walk.ts';
import { Write } from './write.tsx';

type User = Schemas['ManagedUser'];

/** One student: why they are where they are, their goals, what changed, and their records. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentPage({ id }: { id: number }) {
  const t = useTexts(progressMessages);
  const read = useUser(id);
  const { data: user, error } = read;
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (user !== undefined) return <Shown key={user.id} user={user} />;
  return <LoadingPage title={t('title')} of={read} />;
}

function Shown({ user }: { user: User }) {
  const t = useTexts(studentMessages);
  const { filter, page, turnTo } = useUrlFilter({ tab: '' });
  const progress = useStudentProgress(user.id, user.email);
  const { data: student } = progress;
  const letter = useLetter(user, student ?? undefined);
  const [, navigate] = useLocation();
  const isRecords = filter.tab === 'records';
  const name = user.display_name;
  const actions = (
    <>
      <Steps id={user.id} />
      <LinkButton href={`${href('reports')}?students=${user.id}`} icon={<Printer size={18} strokeWidth={1.75} />}>
        {t('report')}
      </LinkButton>
      <Write ids={[user.id]} name={name} text="write" look="primary" letter={letter} />
      <Menu
        label={t('more', { name })}
        trigger={{ 'aria-label': t('more', { name }), icon: <Ellipsis size={20} /> }}
        entries={[
          { id: 'statistics', text: t('statistics') },
          { id: 'print', text: t('print') },
        ]}
        onAction={(action) => (action === 'print' ? print() : navigate(`${href('statistics')}?user=${user.id}`))}
      />
    </>
  );
  return (
    <Page
      title={name}
      mark={<Avatar id={user.id} name={name} size="large" />}
      above={<Where user={user} groups={student?.groups ?? []} />}
      actions={actions}
    >
      <PersonTabs id={user.id} role={user.role} here={isRecords ? 'records' : 'progress'} page={isRecords ? page : 1} />
      {isRecords ? (
        <StudentRecords user={user} page={page} onTurn={turnTo} />
      ) : (
        <>
          <Loading of={progress} lines={8} />
          {student != null && <StudentOverview user={user} student={student} />}
        </>
      )}
    </Page>
  );
}

/** The classes of the student, and the place in the list that leads here. */
function Where({ user, groups }: { user: User; groups: Schemas['Progress']['groups'] }) {
  const t = useTexts(studentMessages);
  const list = useTexts(progressMessages);
  const steps = useSteps(user.id);
  return (
    <>
      {groups.map(({ id, name }) => (
        <span key={id}>
          <Link href={href('group', { id })}>{name}</Link> ·{' '}
        </span>
      ))}
      {user.status === 'inactive' && <strong>{list('inactive')} · </strong>}
      {steps === undefined
        ? user.username
        : t('position', { position: steps.position, count: steps.count, list: steps.name })}
    </>
  );
}

function useSteps(id: number) {
  const t = useTexts(progressMessages);
  const { data } = useEveryone('');
  const ids = data?.students && inAttention(data.students).map(({ user_id }) => user_id);
  return stepsFrom(id, ids && { name: t('attention'), ids });
}

/** Leads through the students of the list, also with J and K. */
function Steps({ id }: { id: number }) {
  const t = useTexts(studentMessages);
  const [, navigate] = useLocation();
  const steps = useSteps(id);
  const go = (to: number | undefined) => to !== undefined && navigate(href('student', { id: to }));
  useShortcuts({ j: () => go(steps?.next), k: () => go(steps?.previous) });
  if (steps === undefined) return null;
  return (
    <>
      <Button
        aria-label={t('previous')}
        icon={<ChevronUp size={18} />}
        isDisabled={steps.previous === undefined}
        onPress={() => go(steps.previous)}
      />
      <Button
        aria-label={t('next')}
        icon={<ChevronDown size={18} />}
        isDisabled={steps.next === undefined}
        onPress={() => go(steps.next)}
      />
    </>
  );
}
