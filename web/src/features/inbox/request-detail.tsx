import { Check, Eye, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Card } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { AnswerCard, answerTo, ReplyLink } from './answer-card.tsx';
import { deferred } from './deferred.ts';
import { DeleteDialog } from './delete-request.tsx';
import { KeyHint } from './inbox-keys.tsx';
import { type RequestDetail, useAccountOf } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import { NoteField } from './note-field.tsx';
import styles from './request-detail.module.css';
import { Sender } from './sender.tsx';
import { useHandling } from './use-handling.ts';

const answerMilliseconds = 86_400_000;

export type RequestProps = {
  request: RequestDetail;
  linkTo: (id: number) => string;
  /** Requests are selected: the status shortcuts apply to them. */
  hasSelection: boolean;
  /** Opens the next request. */
  onDone: () => void;
};

/** A request and its actions. */
export function Request({ request, linkTo, hasSelection, onDone }: RequestProps) {
  const { id, name, email, subject, message, status, overdue, created_at, earlier_requests, handled_by } = request;
  const t = useTexts(inboxMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState<'account' | 'delete'>();
  const handling = useHandling(request);
  const isOpen = status !== 'resolved';
  const { data: match } = useAccountOf(email);
  const answer = answerTo(request, match);

  function resolve(): void {
    deferred.add(id);
    const commit = async () => {
      if (!deferred.has(id)) return; // undone
      await handling.save('resolved');
      deferred.remove(id);
    };
    toast({ text: t('was_resolved', { id }), undo: () => deferred.remove(id) }, () => void commit());
    onDone();
  }
  const review = () => void handling.save('reviewed');

  useEffect(() => heading.current?.focus(), []);
  useShortcuts({
    [shortcuts.note]: () => note.current?.focus(),
    ...(status === 'pending' && !hasSelection && { [shortcuts.review]: review }),
    ...(isOpen && !hasSelection && { [shortcuts.resolve]: () => resolve() }),
    ...(answer === 'create' && { [shortcuts.account]: () => setOpen('account') }),
  });

  const due = Date.parse(created_at) + answerMilliseconds;
  const left = (due - Date.now()) / 3_600_000;
  return (
    <Card className={styles.detail}>
      <header>
        <Avatar id={id} name={name} />
        <div>
          <h2 ref={heading} tabIndex={-1}>
            <span className="visually-hidden">#{id}</span> {t(subject)}
          </h2>
          <Sender request={request} />
        </div>
        {isOpen && overdue && (
          <Chip look="bad">{t('overdue_by', { time: formats.age(new Date(due).toISOString()) })}</Chip>
        )}
      </header>
      <p className={styles.text}>{message}</p>
      <p className={styles.facts}>
        <span>{`${formats.dayWithYear(created_at)} ${formats.time(created_at)}`}</span>
        <span>{t('number', { id })}</span>
        {status !== 'pending' && <span>{t(status)}</span>}
        {handled_by !== null && <span>{t('handled_by', { name: handled_by.username })}</span>}
        {isOpen && !overdue && <span>{t('due', { left: formats.hours(left < 1 ? left : Math.floor(left)) })}</span>}
      </p>
      <AnswerCard
        request={request}
        user={match}
        onCreate={() => setOpen('account')}
        onResolve={resolve}
        onDone={onDone}
      />
      {earlier_requests.length > 0 && (
        <div className={styles.earlier}>
          <h3>{t('earlier')}</h3>
          <ul>
            {earlier_requests.map((earlier) => (
              <li key={earlier.id}>
                <Link href={linkTo(earlier.id)}>
                  #{earlier.id} {t(earlier.subject)}
                </Link>{' '}
                <small>{marks.facts([t(earlier.status), formats.daysAgo(earlier.created_at)])}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
      <NoteField handling={handling} areaRef={note} />
      <div className={cx(styles.buttons, styles.answer)}>
        {isOpen && (
          <Button icon={<Check size={18} />} isPending={handling.isSaving} onPress={resolve}>
            {t('resolve')}
            <KeyHint of="resolve" />
          </Button>
        )}
        {status === 'pending' && (
          <Button look="quiet" icon={<Eye size={18} />} isPending={handling.isSaving} onPress={review}>
            {t('review')}
            <KeyHint of="review" />
          </Button>
        )}
        {answer !== 'reply' && <ReplyLink request={request} user={match} look="quiet" />}
        <Button look="danger" icon={<Trash2 size={18} />} onPress={() => setOpen('delete')}>
          {t('delete')}
        </Button>
      </div>
      {open === 'account' && (
        <AccountDialog request={{ id, name, email, message }} onClose={() => setOpen(undefined)} onDone={onDone} />
      )}
      {open === 'delete' && (
        <DeleteDialog
          request={{ id, name, etag: handling.etag }}
          onClose={() => setOpen(undefined)}
          onDeleted={() => {
            toast({ text: t('deleted', { id }) });
            onDone();
          }}
        />
      )}
    </Card>
  );
}
