import { useQuery } from '@tanstack/react-query';
import { KeyRound, Mail, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { changed } from '../../lib/freshness.ts';
import { useMarks } from '../../lib/marks.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMail } from '../../lib/use-meta.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LinkHandover } from '../users/handover.tsx';
import { OneTimePasswords } from '../users/one-time-passwords.tsx';
import {
  type GivenPassword,
  resetPassword,
  type SentLink,
  sendLink,
  type User,
  useGroupsOf,
} from '../users/user-queries.ts';
import styles from './inbox.module.css';
import { KeyHint } from './inbox-keys.tsx';
import { inboxMessages } from './messages.ts';

/** The account with an e-mail address; null for none. */
export function useAccountOf(email: string) {
  const { data } = useQuery({
    queryKey: ['users', 'with', email],
    queryFn: async ({ signal }): Promise<User | null> => {
      const query = { search: email.slice(0, 100), limit: 100 } as const;
      const { data: found } = await api.get('/api/admin/users', { query, signal });
      return found.users.find((user) => user.email.toLowerCase() === email.toLowerCase()) ?? null;
    },
  });
  return data;
}

type Props = {
  request: number;
  user: User;
  /** The request asks for a new password, which can be given at once. */
  isReset: boolean;
  /** Resolves the request, and opens the next one. */
  onResolve: () => void;
  /** Giving a password has resolved it. */
  onDone: () => void;
};

/** The account of the sender, and for a forgotten password what answers the request. */
export function AccountMatch({ request, user, isReset, onResolve, onDone }: Props) {
  const t = useTexts(inboxMessages);
  const problem = useProblem();
  const marks = useMarks();
  const formats = useFormats(useAccount().timezone);
  const { data: groups = [] } = useGroupsOf(user.id);
  const [sent, setSent] = useState<SentLink>();
  const [password, setPassword] = useState<GivenPassword>();
  const link = useAction(async () => setSent(await sendLink(user.id, 'link')));
  const reset = useAction(async () => {
    setPassword(await resetPassword(user.id, request));
    await changed('requests');
  });
  const linkText = useMail() === true ? 'send_link' : 'create_link';
  const canReset = isReset && user.status === 'active';
  useShortcuts(canReset ? { [shortcuts.account]: () => void link.run() } : {});
  const error = link.error ?? reset.error;
  const facts = [
    user.display_name,
    ...groups.map(({ name }) => name),
    user.status === 'inactive' ? t('is_inactive') : '',
    user.last_login_at === null
      ? t('never_signed_in')
      : t('last_sign_in', { when: formats.daysAgo(user.last_login_at) }),
  ];
  return (
    <section className={styles.match} aria-label={t('match')}>
      <UserRoundCheck size={18} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <strong>{t('match')}</strong>
        <p>{marks.facts(facts)}</p>
      </div>
      <Link href={href('student', { id: user.id })}>{t('open_person')}</Link>
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
      {canReset && (
        <div className={styles.buttons}>
          <Button
            look="primary"
            icon={<Mail size={18} strokeWidth={1.75} />}
            isPending={link.isRunning}
            onPress={() => void link.run()}
          >
            {t(linkText)}
            <KeyHint of="account" />
          </Button>
          <Button
            icon={<KeyRound size={18} strokeWidth={1.75} />}
            isPending={reset.isRunning}
            onPress={() => void reset.run()}
          >
            {t('set_password')}
          </Button>
        </div>
      )}
      {sent !== undefined && (
        <Dialog title={t(linkText)} isOpen>
          <LinkHandover
            sent={sent}
            onClose={() => {
              setSent(undefined);
              onResolve();
            }}
          />
        </Dialog>
      )}
      {password !== undefined && (
        <Dialog title={t('set_password')} isOpen>
          <OneTimePasswords
            entries={[password]}
            onClose={() => {
              setPassword(undefined);
              onDone();
            }}
          />
        </Dialog>
      )}
    </section>
  );
}
