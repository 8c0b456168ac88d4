import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useDraft } from '../../lib/draft.ts';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { addToNewClass, type ChosenClass, ClassChoice, groupIdsOf } from './class-choice.tsx';
import { userMessages } from './messages.ts';
import { newKey } from './new-user-form.tsx';
import oneTimePasswords from './one-time-passwords.module.css';
import { OneTimePasswords } from './one-time-passwords.tsx';
import { maxUsers, type PastedUser, readUsers } from './pasted-users.ts';
import { type CreatedUsers, createUsers } from './user-queries.ts';
import styles from './users.module.css';

const fieldsOfUser = ['username', 'email', 'display_name'];

/** Creates many accounts: a pasted list, a preview, then the one-time passwords. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function NewUsersPage() {
  const t = useTexts(userMessages);
  const [created, setCreated] = useState<CreatedUsers>();
  return (
    <Page
      key={created === undefined ? 'paste' : 'created'}
      title={t(created === undefined ? 'many_title' : 'were_created')}
    >
      <Card>{created === undefined ? <PasteForm onCreated={setCreated} /> : <Created result={created} />}</Card>
    </Page>
  );
}

function PasteForm({ onCreated }: { onCreated: (result: CreatedUsers) => void }) {
  const t = useTexts(userMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  // A new key per text: a retry after a lost response creates no duplicates.
  const draft = useDraft('users', () => ({ text: '', key: newKey() }));
  const { data: known = [] } = useStudents();
  const taken = useMemo(
    () => new Set(known.flatMap(({ username, email }) => [username.toLowerCase(), email.toLowerCase()])),
    [known],
  );
  const lines = readUsers(draft.value.text, (text) => taken.has(text));
  const users = lines.filter((user) => user.problem === undefined);
  const first = [...lines.filter((user) => user.problem !== undefined), ...users];
  const skipped = lines.length - users.length;
  const isReady = users.length > 0 && users.length <= maxUsers;
  const [group, setGroup] = useState<ChosenClass>({ id: '', name: '' });
  const { run, isRunning, error } = useAction(async () => {
    const result = await createUsers(
      users.map(({ username, email, display_name }) => ({ username, email, display_name })),
      draft.value.key,
      groupIdsOf(group),
    );
    const ids = result.results.flatMap(({ user_id }) => user_id ?? []);
    // The passwords are shown in any case.
    if (ids.length > 0)
      await addToNewClass(group, ids, draft.value.key).catch((failure) => toast({ text: problem(failure) }));
    draft.clear();
    onCreated(result);
  });
  const problemOf = (user: PastedUser) =>
    fieldsOfUser
      .map((name) => fieldProblem(error, `users[${users.indexOf(user)}].${name}`))
      .find((text) => text !== undefined);
  function submit(): void {
    if (isReady) void run();
  }
  return (
    <Form className="stack" onSave={submit}>
      <DraftNotice draft={draft} />
      <Field
        label={t('list')}
        hint={t('list_hint')}
        rows={8}
        value={draft.value.text}
        onChange={(text) => draft.set({ text, key: newKey() })}
        invalid={users.length > maxUsers ? t('too_many') : undefined}
        autoFocus
      />
      <ClassChoice chosen={group} onChange={setGroup} />
      <Problem error={error} />
      {lines.length > 0 && (
        <p role="status">
          {skipped === 0
            ? t('all_fine', { count: users.length })
            : t('have_problems', { count: skipped, all: lines.length })}
        </p>
      )}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={t('many_title')}>
          <table className={styles.table}>
            <thead>
              <tr>
                {(['line', 'display_name', 'email', 'username', 'problem'] as const).map((name) => (
                  <th key={name} scope="col">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.map((user) => (
                <tr key={user.line}>
                  <td>{user.line}</td>
                  <td>{user.display_name}</td>
                  <td>{user.email}</td>
                  <td>{user.username}</td>
                  <td className={styles.problem}>{user.problem === undefined ? problemOf(user) : t(user.problem)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div className={oneTimePasswords.footer}>
        <Button type="submit" look="primary" isDisabled={!isReady} isPending={isRunning}>
          {users.length === 0
            ? t('create')
            : t(skipped === 0 ? 'create_many' : 'create_some', { count: users.length, skipped })}
        </Button>
        <LinkButton href={href('users')} onClick={draft.clear}>
          {common('cancel')}
        </LinkButton>
      </div>
    </Form>
  );
}

function Created({ result: { results, failed_count, one_time_passwords = [] } }: { result: CreatedUsers }) {
  const t = useTexts(userMessages);
  const marks = useMarks();
  const [, navigate] = useLocation();
  // The passwords are shown only once: the list was left far down.
  useEffect(() => window.scrollTo(0, 0), []);
  return (
    <div className="stack">
      {failed_count > 0 && (
        <Notice kind="error">
          <p>{t('not_created', { count: failed_count })}</p>
          <ul>
            {results
              .filter(({ errors }) => errors.length > 0)
              .map(({ index, username, errors }) => (
                <li key={index}>
                  <strong>{username}</strong>
                  {marks.colon}
                  {errors.map(({ message }) => message).join(' ')}
                </li>
              ))}
          </ul>
        </Notice>
      )}
      <OneTimePasswords entries={one_time_passwords} onClose={() => navigate(href('users'))} />
    </div>
  );
}
