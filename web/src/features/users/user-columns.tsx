import { Ellipsis } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Menu } from '../../ui/menu.tsx';
import { Problem } from '../../ui/notice.tsx';
import type { PersonColumn } from '../../ui/people-table.tsx';
import { toast } from '../../ui/toast.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { userMessages } from './messages.ts';
import type { UserAction } from './user-dialog.tsx';
import { setStatus, type User } from './user-queries.ts';
import styles from './users.module.css';

/** A user as a person of the table of people. */
export const whoIs = ({ id, display_name: name, username }: User) => ({
  id,
  name,
  to: href('user', { id }),
  detail: username,
});

/** The columns of the accounts; `onAsk` opens a dialog for a user. */
export function useUserColumns(
  onAsk: (asked: { user: User; action: UserAction }) => void,
): readonly PersonColumn<User>[] {
  const t = useTexts(userMessages);
  const formats = useOwnFormats();
  const { id: own } = useAccount();
  return [
    { id: 'email', text: t('email'), className: cx(table.wide, table.muted), cell: ({ email }) => email },
    {
      id: 'role',
      text: t('role'),
      place: 'state',
      cell: ({ id, role, admin_group_ids: groups, status, must_change_password }) => (
        <span className={styles.state}>
          <span>{t(role)}</span>
          {role === 'admin' && id !== own && (
            <Link href={`${href('user', { id })}?tab=access`}>
              {groups === undefined ? t('whole_school') : t('of_classes', { count: groups.length })}
            </Link>
          )}
          {status === 'inactive' && <span className={styles.inactive}>{t('inactive')}</span>}
          {must_change_password && <span>{t('waits')}</span>}
        </span>
      ),
    },
    {
      id: 'last_login',
      text: t('last_login'),
      place: 'side',
      className: table.muted,
      cell: ({ last_login_at: last }) => (last === null ? t('never') : formats.daysAgo(last)),
    },
    {
      id: 'actions',
      text: '',
      place: 'corner',
      className: table.end,
      cell: (user) => <Actions user={user} onAsk={(action) => onAsk({ user, action })} />,
    },
  ];
}

function Actions({ user, onAsk }: { user: User; onAsk: (action: UserAction) => void }) {
  const { id, display_name, status, last_login_at } = user;
  const t = useTexts(userMessages);
  const invitation = useTexts(invitationMessages);
  const account = useAccount();
  const { run, error } = useAction(async () => {
    await setStatus(user, 'active');
    toast({ text: t('was_active', { name: display_name }) });
  });
  const isActive = status === 'active';
  const link = last_login_at === null ? ('invite' as const) : ('link' as const);
  const entries = [
    { id: 'reset', text: t('reset') },
    ...(isActive ? [{ id: link, text: invitation(link) }] : []),
    isActive ? { id: 'deactivate', text: t('deactivate') } : { id: 'activate', text: t('activate') },
    { id: 'delete', text: t('delete') },
  ];
  if (id === account.id) return null; // one's own account is managed in the settings
  return (
    <>
      <Menu
        label={t('actions', { name: display_name })}
        trigger={{ look: 'quiet', 'aria-label': t('actions', { name: display_name }), icon: <Ellipsis size={20} /> }}
        entries={entries}
        onAction={(action) => (action === 'activate' ? void run() : onAsk(action as UserAction))} // one of the entries
      />
      <Problem error={error} />
    </>
  );
}
