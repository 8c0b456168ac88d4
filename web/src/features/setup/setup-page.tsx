import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api, signIn } from '../../lib/api.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { languageNames, locales, settings, useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { deviceZone, zoneOptions } from '../../lib/zone.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { PasswordField } from '../auth/password-field.tsx';
import { PublicPage } from '../auth/public-page.tsx';
import { setupMessages } from './messages.ts';

const fields = ['username', 'email', 'display_name', 'password', 'timezone'];
const languages = locales.map((locale) => [locale, languageNames[locale]] as const);

const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/** Target of the set-up link: creates the first administrator. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SetupPage() {
  const t = useTexts(setupMessages);
  const [token, setToken] = useState(tokenInAddress);
  const [examplePassword, setExamplePassword] = useState<string>();
  const [isValid, setValid] = useState(token !== '');
  useEffect(() => {
    // A link pasted into this tab changes only what is after the #.
    const read = () => {
      const next = tokenInAddress();
      if (next !== '') {
        setToken(next);
        setValid(true);
      }
      history.replaceState(history.state, '', location.pathname); // keeps the token out of the history
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  if (!isValid)
    return (
      <PublicPage title={t('invalid_title')} links={['signIn']}>
        <Notice kind="error">{t('invalid')}</Notice>
      </PublicPage>
    );
  if (examplePassword !== undefined) return <ExampleReady password={examplePassword} />;
  return <SetupForm key={token} token={token} onExample={setExamplePassword} onInvalid={() => setValid(false)} />;
}

type Props = { token: string; onExample: (password: string) => void; onInvalid: () => void };

function SetupForm({ token, onExample, onInvalid }: Props) {
  const t = useTexts(setupMessages);
  const [, navigate] = useLocation();
  const { locale } = useSettings();
  const [form, setForm] = useState({ username: 'admin', display_name: '', email: '', password: '' });
  const [timezone, setTimezone] = useState(deviceZone);
  const [content, setContent] = useState<'empty' | 'example'>('example');
  const [sent, setSent] = useState<typeof form>();
  const set = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value });
  const { run, isRunning, error } = useAction(async () => {
    setSent(form);
    const { display_name, ...account } = form;
    const body = {
      token,
      ...account,
      timezone,
      locale,
      example: content === 'example',
      ...(display_name.trim() !== '' && { display_name }),
    };
    const { data } = await api.post('/api/setup', { body });
    await signIn({ username: data.username, password: form.password, keep_signed_in: false });
    if (data.example_password === undefined) navigate(href('today'));
    else onExample(data.example_password);
  });
  const isRejected = fieldProblem(error, 'token') !== undefined;
  useEffect(() => {
    if (isRejected) onInvalid();
  }, [isRejected, onInvalid]);
  const text = (name: keyof typeof form) => ({
    label: t(name),
    value: form[name],
    onChange: set(name),
    error: form[name] === sent?.[name] ? fieldProblem(error, name) : undefined, // it was about what was sent
  });
  return (
    <PublicPage title={t('title')} intro={t('how')} links={['signIn']}>
      <Form className="stack" onSave={() => run()}>
        <Problem error={error} besides={fields} />
        <Field {...text('username')} hint={t('username_hint')} autoComplete="username" maxLength={32} />
        <Field {...text('display_name')} autoFocus autoComplete="name" maxLength={50} />
        <Field {...text('email')} type="email" autoComplete="email" maxLength={254} />
        <PasswordField isNew {...text('password')} />
        <Select
          label={t('language')}
          value={locale}
          onChange={(chosen) => settings.set({ locale: chosen })}
          options={languages}
        />
        <Select label={t('timezone')} value={timezone} onChange={setTimezone} options={zoneOptions(timezone, locale)} />
        <Select
          label={t('content')}
          value={content}
          onChange={setContent}
          hint={content === 'example' ? t('example_hint') : undefined}
          options={[
            ['example', t('example')],
            ['empty', t('empty')],
          ]}
        />
        <Button
          type="submit"
          look="primary"
          wide
          isPending={isRunning}
          isDisabled={form.email === '' || form.password === ''}
        >
          {t('create')}
        </Button>
      </Form>
    </PublicPage>
  );
}

function ExampleReady({ password }: { password: string }) {
  const t = useTexts(setupMessages);
  const [, navigate] = useLocation();
  return (
    <PublicPage title={t('done_title')} intro={t('done_how')} links={[]}>
      <p>
        <code>lin.wei</code>, <code>emma.clark</code>: <code>{password}</code>
      </p>
      <Button look="primary" wide onPress={() => navigate(href('today'))}>
        {t('go')}
      </Button>
    </PublicPage>
  );
}
