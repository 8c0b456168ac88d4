import { Mail, UserPlus, UserRoundCheck } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import button from '../../ui/button.module.css';
import { Button, type ButtonShape, buttonClass } from '../../ui/button.tsx';
import { type User, useGroupsOf } from '../users/user-queries.ts';
import { KeyHint } from './inbox-keys.tsx';
import type { RequestDetail } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import { mailTo } from './reply.ts';
import styles from './request-detail.module.css';
import { ResetButtons } from './reset-buttons.tsx';

/** What answers a request: an account, a new password, or else a mail. */
export function answerTo({ status, subject }: RequestDetail, user: User | null | undefined) {
  if (status === 'resolved') return undefined;
  if (subject === 'account_registration') return 'create';
  return subject === 'password_reset' && user?.status === 'active' ? 'reset' : 'reply';
}

type Props = {
  request: RequestDetail;
  /** The account with the address of the sender; null for none. */
  user: User | null | undefined;
  onCreate: () => void;
  onResolve: () => void;
  onDone: () => void;
};

/** Below the message: the account of the sender, and what answers the request. */
export function AnswerCard({ request, user, onCreate, onResolve, onDone }: Props) {
  const t = useTexts(inboxMessages);
  const answer = answerTo(request, user);
  if (answer === undefined && user == null) return null;
  const Icon = user != null ? UserRoundCheck : answer === 'create' ? UserPlus : Mail;
  const title = t(user != null ? 'match' : answer === 'create' ? 'wants_account' : 'wants_reply');
  return (
    <section className={styles.match} aria-label={title}>
      <Icon size={18} strokeWidth={1.75} />
      <div>
        <strong>{title}</strong>
        {/* The space keeps the height while the account is looked for. */}
        {user == null ? <p>{user === null ? t('no_match') : '\u00a0'}</p> : <AccountFacts user={user} />}
      </div>
      {user != null && <Link href={href('student', { id: user.id })}>{t('open_person')}</Link>}
      {/* Still there when the password has resolved the request, until it is written down. */}
      {request.subject === 'password_reset' && user?.status === 'active' && (
        <ResetButtons
          request={request.id}
          user={user.id}
          isOpen={answer === 'reset'}
          onResolve={onResolve}
          onDone={onDone}
        />
      )}
      {(answer === 'create' || answer === 'reply') && (
        <div className={styles.buttons}>
          {answer === 'create' && (
            <Button look="primary" icon={<UserPlus size={18} />} onPress={onCreate}>
              {t('make_account')}
              <KeyHint of="account" />
            </Button>
          )}
          {answer === 'reply' && <ReplyLink request={request} user={user} look="primary" />}
        </div>
      )}
    </section>
  );
}

function AccountFacts({ user }: { user: User }) {
  const t = useTexts(inboxMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const { data: groups = [] } = useGroupsOf(user.id);
  const facts = [
    user.display_name,
    ...groups.map(({ name }) => name),
    user.status === 'inactive' ? t('is_inactive') : '',
    user.last_login_at === null
      ? t('never_signed_in')
      : t('last_sign_in', { when: formats.daysAgo(user.last_login_at) }),
  ];
  return <p>{marks.facts(facts)}</p>;
}

type ReplyProps = Pick<Props, 'request' | 'user'> & Pick<ButtonShape, 'look'>;

/** Opens the mail program with a prepared reply. */
export function ReplyLink({ request, user, look }: ReplyProps) {
  const t = useTexts(inboxMessages);
  return (
    <a className={cx(buttonClass({ look, children: '' }), button.link)} href={mailTo(request, user ?? undefined)}>
      <Mail size={18} strokeWidth={1.75} />
      {t('reply')}
    </a>
  );
}
