import { useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { addToNewClass, type ChosenClass, ClassChoice, groupIdsOf } from '../users/class-choice.tsx';
import { newKey } from '../users/new-user-form.tsx';
import { OneTimePasswords } from '../users/one-time-passwords.tsx';
import { type CreatedUser, createUser } from '../users/user-queries.ts';
import { suggestUsername } from './account-dialog.tsx';
import type { ContactRequest } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import styles from './request-detail.module.css';

type Props = { requests: readonly ContactRequest[]; onClose: () => void };
type Failure = { request: ContactRequest; why: string };

/** Creates the accounts that several requests ask for, all in one class; each account resolves its request. */
export function MakeAccounts({ requests, onClose }: Props) {
  const t = useTexts(inboxMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const [group, setGroup] = useState<ChosenClass>({ id: '', name: '' });
  const [keys] = useState(() => new Map(requests.map(({ id }) => [id, newKey()])));
  const [created, setCreated] = useState<readonly CreatedUser[]>();
  const [failed, setFailed] = useState<readonly Failure[]>([]);
  const { run, isRunning } = useAction(async () => {
    const done: CreatedUser[] = [];
    const left: Failure[] = [];
    for (const request of requests) {
      const { id, name, email } = request;
      const fields = { username: suggestUsername(email), email, display_name: name, role: 'user' } as const;
      await createUser(fields, keys.get(id) ?? newKey(), id, groupIdsOf(group)).then(
        (user) => done.push(user),
        (failure) => left.push({ request, why: problem(failure) }),
      );
    }
    // The passwords are shown in any case.
    const ids = done.map(({ id }) => id);
    if (ids.length > 0)
      await addToNewClass(group, ids, keys.get(requests[0]?.id ?? 0) ?? '').catch((failure) =>
        toast({ text: problem(failure) }),
      );
    setFailed(left);
    setCreated(done);
  });
  const isClassMissing = group.id === 'new' && group.name.trim() === '';
  return (
    <Dialog title={t('make_accounts', { count: requests.length })} isOpen {...(created === undefined && { onClose })}>
      {failed.length > 0 && (
        <Notice kind="error">
          <ul>
            {failed.map(({ request, why }) => (
              <li key={request.id}>
                <strong>{request.name}</strong>: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {created === undefined ? (
        <div className={styles.make}>
          <ul>
            {requests.map(({ id, name, email }) => (
              <li key={id}>
                {name} <small>{email}</small>
              </li>
            ))}
          </ul>
          <ClassChoice chosen={group} onChange={setGroup} />
          <div className={styles.buttons}>
            <Button look="primary" isPending={isRunning} isDisabled={isClassMissing} onPress={() => void run()}>
              {t('make_accounts', { count: requests.length })}
            </Button>
            <Button onPress={onClose}>{common('cancel')}</Button>
          </div>
        </div>
      ) : (
        <OneTimePasswords entries={created} onClose={onClose} />
      )}
    </Dialog>
  );
}
