import { useRef, useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { addToNewClass, type ChosenClass, ClassChoice, groupIdsOf } from './class-choice.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { userMessages } from './messages.ts';
import styles from './one-time-passwords.module.css';
import { type CreatedUser, createUser, type NewUser } from './user-queries.ts';

const fields = ['username', 'email', 'display_name', 'role'];

type Props = {
  initial: NewUser;
  /** The contact request for the account. */
  contactRequest?: number;
  /** The account can be put into a class. */
  hasClass?: boolean;
  /** What the user wrote, which may name the class. */
  said?: string;
  onCreated: (user: CreatedUser) => void;
  onCancel: () => void;
};

/** Creates one account with a generated one-time password or an invitation link. */
export function NewUserForm({ initial, contactRequest, hasClass = false, said, onCreated, onCancel }: Props) {
  const t = useTexts(userMessages);
  const invitation = useTexts(invitationMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const [form, setForm] = useState(initial);
  // A retry with the same fields uses the same key; changed fields get a new one.
  const [key, setKey] = useState(newKey);
  const [group, setGroup] = useState<ChosenClass>({ id: '', name: '' });
  const isLimited = useIsLimited();
  const sent = useRef(form);
  const { run, isRunning, error } = useAction(async () => {
    const fresh = sent.current === form ? key : newKey();
    sent.current = form;
    setKey(fresh);
    const created = await createUser(form, fresh, contactRequest, groupIdsOf(group));
    // The password is shown in any case.
    await addToNewClass(group, [created.id], fresh).catch((failure) => toast({ text: problem(failure) }));
    onCreated(created);
  });
  const field = (name: 'username' | 'email' | 'display_name') => ({
    name,
    label: t(name),
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
    error: fieldProblem(error, name),
  });
  return (
    <Form className="stack" onSave={() => run()}>
      <Problem error={error} besides={fields} />
      <Field {...field('username')} hint={t('username_hint')} maxLength={32} autoComplete="off" autoFocus />
      <Field {...field('email')} type="email" maxLength={254} autoComplete="off" />
      <Field {...field('display_name')} maxLength={50} autoComplete="off" />
      <Select
        label={t('role')}
        value={form.role}
        onChange={(role) => setForm({ ...form, role })}
        options={[['user', t('user')], ...(isLimited ? [] : [['admin', t('admin')] as const])]}
      />
      {(hasClass || isLimited) && form.role === 'user' && (
        <ClassChoice chosen={group} onChange={setGroup} said={said} />
      )}
      <Checkbox isSelected={form.invite === true} onChange={(invite) => setForm({ ...form, invite })}>
        {invitation('invite_instead')}
      </Checkbox>
      <div className={styles.buttons}>
        <Button type="submit" look="primary" isPending={isRunning}>
          {t('create')}
        </Button>
        <Button onPress={onCancel}>{common('cancel')}</Button>
      </div>
    </Form>
  );
}

/** A new idempotency key. */
export const newKey = () => `user-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
