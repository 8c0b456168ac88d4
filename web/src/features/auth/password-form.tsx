import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { authMessages } from './messages.ts';
import { PasswordField } from './password-field.tsx';

const fields = ['current_password', 'new_password'];

type Props = {
  /** The button's text, where it is not the change itself that one came for. */
  action?: string;
  /** The current password, if it has just been typed; then it is not asked for, unless it is refused. */
  known?: string;
  onChanged?: () => Promise<void>;
};

/** Changes the password; `onChanged` is called once it is saved. */
export function PasswordForm({ known = '', action, onChanged }: Props) {
  const t = useTexts(authMessages);
  const common = useTexts(commonMessages);
  const [current, setCurrent] = useState(known);
  const [next, setNext] = useState('');
  const { run, isRunning, isDone, error } = useAction(async () => {
    await api.put('/api/auth/password', { body: { current_password: current, new_password: next } });
    setCurrent('');
    setNext('');
    await onChanged?.();
  });

  return (
    <Form className="stack" onSave={() => run()}>
      <Problem error={error} besides={fields} />
      {isDone && <Notice kind="success">{common('saved')}</Notice>}
      {(known === '' || fieldProblem(error, 'current_password') !== undefined) && (
        <PasswordField
          label={t('current_password')}
          value={current}
          onChange={setCurrent}
          error={fieldProblem(error, 'current_password')}
        />
      )}
      <PasswordField
        isNew
        autoFocus={known !== ''}
        label={t('new_password')}
        hint={t('new_password_hint')}
        value={next}
        onChange={setNext}
        error={fieldProblem(error, 'new_password')}
      />
      <div>
        <Button type="submit" look="primary" isPending={isRunning} isDisabled={current === '' || next === ''}>
          {action ?? t('change')}
        </Button>
      </div>
    </Form>
  );
}
