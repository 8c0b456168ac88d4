import { readAccount } from '../../lib/api.ts';
import { useDraft } from '../../lib/draft.ts';
import { useMarks } from '../../lib/marks.ts';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { userMessages } from './messages.ts';
import { changeUser, readUser, type User, type UserFields, usersChanged, versionOf } from './user-queries.ts';

const names = ['display_name', 'username', 'email', 'role'];

/** The typed values, and those first read (`opened`): a save must not overwrite changes that were never shown. */
const formOf = (opened: Version<UserFields>) => ({ ...opened.fields, opened });

export function UserForm({ user }: { user: User }) {
  const t = useTexts(userMessages);
  const common = useTexts(commonMessages);
  const marks = useMarks();
  const account = useAccount();
  const isOwn = user.id === account.id;
  const isLimited = useIsLimited();
  const draft = useDraft(`user.${user.id}`, () => formOf(versionOf(user)));
  const { value: form, set } = draft;
  const merging = useMergingSave<UserFields>({
    read: async () => {
      void usersChanged(); // cached copies are stale
      return versionOf(await readUser(user.id));
    },
    write: (fields, base) => changeUser(user.id, fields, base),
  });
  const label = (field: keyof UserFields) => t(field);
  const { run, isRunning, isDone, error } = useAction(async (base?: Version<UserFields>, chosen?: UserFields) => {
    const { opened, ...given } = form;
    const taken = await merging.save(chosen ?? given, base ?? opened);
    if (taken === undefined) return;
    if (taken.length > 0) toast({ text: common('merged', { fields: marks.list(taken.map(label)) }) });
    draft.reset(formOf(versionOf(await readUser(user.id))));
    if (isOwn) await readAccount();
  });
  const field = (name: 'username' | 'email' | 'display_name') => ({
    label: t(name),
    value: form[name],
    onChange: (value: string) => set({ [name]: value }),
    error: fieldProblem(error, name),
    autoComplete: 'off',
  });
  return (
    <>
      <Form className="stack" onSave={() => run()}>
        <DraftNotice draft={draft} />
        <Problem error={error} besides={names} />
        {isDone && merging.conflict === undefined && <Notice kind="success">{common('saved')}</Notice>}
        <Field {...field('display_name')} maxLength={50} />
        <Field {...field('username')} hint={t('username_hint')} maxLength={32} />
        <Field {...field('email')} type="email" maxLength={254} />
        <Select
          label={t('role')}
          value={form.role}
          onChange={(role) => set({ role })}
          isDisabled={isOwn || isLimited}
          options={[
            ['user', t('user')],
            ['admin', t('admin')],
          ]}
        />
        <div>
          <Button type="submit" look="primary" isPending={isRunning}>
            {common('save')}
          </Button>
        </div>
      </Form>
      <ConflictDialog
        merging={merging}
        label={label}
        show={(name, fields) => (name === 'role' ? t(fields.role) : fields[name])}
        onChoose={run}
      />
    </>
  );
}
