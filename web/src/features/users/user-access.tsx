import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { userMessages } from './messages.ts';
import oneTimePasswords from './one-time-passwords.module.css';
import { type UserAction, UserDialog } from './user-dialog.tsx';
import { userPageMessages } from './user-page-messages.ts';
import { setStatus, type User } from './user-queries.ts';
import styles from './users.module.css';

const messages = { ...userMessages, ...invitationMessages };

/** Password, second factor, status and deletion of an account; disabled for the administrator's own account. */
export function UserAccess({ user }: { user: User }) {
  const t = useTexts(messages);
  const page = useTexts(userPageMessages);
  const [, navigate] = useLocation();
  const isOwn = user.id === useAccount().id;
  const isLimited = useIsLimited();
  const [open, setOpen] = useState<UserAction>();
  const { run, isRunning, error } = useAction(async () => {
    await setStatus(user, 'active');
    toast({ text: t('was_active', { name: user.display_name }) });
  });
  const isActive = user.status === 'active';
  const ask = (action: UserAction, look: 'plain' | 'danger' = 'plain') => (
    <Button
      look={look}
      isDisabled={isOwn}
      {...(isOwn && { 'aria-describedby': 'own-account' })}
      onPress={() => setOpen(action)}
    >
      {t(action)}
    </Button>
  );
  return (
    <Card title={page('sign_in')}>
      <ul className={styles.access}>
        <Part title={page('password')} text={page(passwordOf(user))}>
          <span className={oneTimePasswords.buttons}>
            {isActive && ask(user.last_login_at === null ? 'invite' : 'link')}
            {ask('reset')}
          </span>
        </Part>
        <Part title={page('factor')} text={page(user.totp_enabled ? 'factor_on' : 'factor_off')}>
          {user.totp_enabled && ask('totp')}
        </Part>
        {user.identity_linked && !isLimited && (
          <Part title={page('identity')} text={page('identity_how')}>
            {ask('unlink')}
          </Part>
        )}
        <Part title={page('state')} text={page(isActive ? 'is_active' : 'is_inactive')}>
          {isActive ? (
            ask('deactivate')
          ) : (
            <Button isPending={isRunning} onPress={() => void run()}>
              {t('activate')}
            </Button>
          )}
        </Part>
        {!isLimited && (
          <Part title={page('delete')} text={page('delete_short')}>
            {ask('delete', 'danger')}
          </Part>
        )}
      </ul>
      <Problem error={error} />
      {open !== undefined && (
        <UserDialog
          user={user}
          action={open}
          onClose={() => setOpen(undefined)}
          onDeleted={() => navigate(href('users'))}
        />
      )}
    </Card>
  );
}

const passwordOf = ({ has_password, must_change_password }: User) => {
  if (!has_password) return 'password_none';
  return must_change_password ? 'password_waits' : 'password_own';
};

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {children}
    </li>
  );
}
