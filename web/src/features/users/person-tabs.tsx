import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useStudentRecords } from '../progress/progress-queries.ts';
import { userPageMessages } from './user-page-messages.ts';

const ofAdministrators = ['account', 'access', 'history'] as const;

type Props = {
  id: number;
  role: 'user' | 'admin';
  here: 'progress' | 'records' | 'account' | 'access' | 'history';
  /** The page of records that is shown; its answer has the count too. */
  page?: number;
};

/** The views of one person; administrators have no progress. */
export function PersonTabs({ id, role, here, page = 1 }: Props) {
  const t = useTexts(userPageMessages);
  const hrefs = {
    progress: href('student', { id }),
    records: `${href('student', { id })}?tab=records`,
    account: href('user', { id }),
    access: `${href('user', { id })}?tab=access`,
    history: `${href('user', { id })}?tab=history`,
  };
  const { data: records } = useStudentRecords(id, page, role === 'user');
  const isLimited = useIsLimited();
  const isOwn = id === useAccount().id;
  const all = role === 'user' ? (['progress', 'records', 'account', 'history'] as const) : ofAdministrators;
  // The history is from the activity log; nobody changes their own scope.
  const shown = all.filter((tab) => !(isLimited && tab === 'history') && !(isOwn && tab === 'access'));
  return (
    <Tabs
      label={t('tabs')}
      tabs={shown.map((tab) => ({
        href: hrefs[tab],
        text: t(tab),
        count: tab === 'records' ? records?.pagination.total : undefined,
        isCurrent: tab === here,
      }))}
    />
  );
}
