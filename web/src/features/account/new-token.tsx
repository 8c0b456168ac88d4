import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import styles from './account.module.css';
import { SecretText } from './secret-text.tsx';
import { tokenMessages } from './token-messages.ts';

const scopes = ['read', 'sessions:write', 'projects:write', 'admin'] as const;
type Scope = (typeof scopes)[number];
const lifetimes = [30, 90, 365];

/** Creates a token and shows it once. */
export function NewToken() {
  const t = useTexts(tokenMessages);
  const { role } = useAccount();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['read']);
  const [days, setDays] = useState('90');
  const [token, setToken] = useState<string>();
  const { run, isRunning, error } = useAction(async () => {
    const expires_at = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
    const { data } = await api.post('/api/me/tokens', { body: { name, scopes: [...chosen], expires_at } });
    setToken(data.token);
    setName('');
    await changed('tokens');
  });

  function submit(): void {
    setToken(undefined);
    void run();
  }

  return (
    <Form className="stack" onSave={submit}>
      <h3>{t('new')}</h3>
      {token !== undefined && (
        <Notice kind="success">
          {t('created')}
          <SecretText label={t('token')} value={token} />
        </Notice>
      )}
      <Problem error={error} besides={['name']} />
      <Field
        label={t('name')}
        autoFocus
        hint={t('name_hint')}
        value={name}
        onChange={setName}
        maxLength={50}
        autoComplete="off"
        error={fieldProblem(error, 'name')}
      />
      <fieldset className={styles.rest}>
        <legend>{t('may')}</legend>
        {scopes
          .filter((scope) => scope !== 'admin' || role === 'admin')
          .map((scope) => (
            <Checkbox
              key={scope}
              isSelected={chosen.includes(scope)}
              onChange={(isChosen) =>
                setChosen(scopes.filter((other) => (other === scope ? isChosen : chosen.includes(other))))
              }
            >
              {t(scope)}
            </Checkbox>
          ))}
      </fieldset>
      <Select
        label={t('ends')}
        value={days}
        onChange={setDays}
        options={lifetimes.map((count) => [String(count), t('days', { count })])}
      />
      <div>
        <Button type="submit" isPending={isRunning} isDisabled={name.trim() === '' || chosen.length === 0}>
          {t('create')}
        </Button>
      </div>
    </Form>
  );
}
