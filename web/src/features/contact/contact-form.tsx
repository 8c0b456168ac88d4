import { useState } from 'react';
import { api, isApiError } from '../../lib/api.ts';
import { useDraft } from '../../lib/draft.ts';
import { formatClock } from '../../lib/format.ts';
import { areFieldErrors, saidOf, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CaptchaField } from './captcha-field.tsx';
import styles from './contact.module.css';
import { contactMessages } from './messages.ts';
import { type Subject, SubjectField, subjects } from './subject-field.tsx';
import { type Captcha, useCaptcha } from './use-captcha.ts';

const fields = ['subject', 'name', 'email', 'phone', 'message', 'captcha'];
const maxLength = 1000;

type Draft = {
  subject: Subject;
  name: string;
  email: string;
  phone: string;
  message: string;
  /** Stored with their picture, so that a retry after a reload sends the same request. */
  characters: string;
  captcha?: Captcha;
  /** Idempotency key. */
  key: string;
};

const empty = (): Draft => ({
  subject: 'account_registration',
  name: '',
  email: '',
  phone: '',
  message: '',
  characters: '',
  key: newKey(),
});

const newKey = () => `contact-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

type SubmittedFields = Pick<Draft, 'name' | 'message'> & { captcha: string };

/**
 * Whether the captcha is used up. The service checks it once all fields are valid, before spam checks and rate limits;
 * without a response, or after a 5xx, it is still valid.
 */
function isCaptchaUsed(failure: unknown, { name, message, captcha }: SubmittedFields): boolean {
  if (!isApiError(failure) || failure.status >= 500) return false;
  if (failure.code !== 'VALIDATION_ERROR') return true;
  const hasLength = (text: string, least: number, most: number) => {
    const { length } = [...text.trim()];
    return length >= least && length <= most;
  };
  const areValid =
    hasLength(name, 2, 50) &&
    hasLength(message, 1, maxLength) &&
    /^[a-z0-9]{4}$/i.test(captcha.normalize('NFKC').trim());
  return areValid && failure.details.every(({ field }) => ['captcha', 'name', 'message'].includes(field));
}

export type Sent = {
  message: string;
  number: number;
  written: Pick<Draft, 'subject' | 'name' | 'email' | 'phone' | 'message'>;
};

/** The contact form; its input is stored as a draft until sent. */
export function ContactForm({ onSent, again }: { onSent: (sent: Sent) => void; again: Sent['written'] | undefined }) {
  const t = useTexts(contactMessages);
  const problem = useProblem();
  const { value: draft, set: change, clear } = useDraft('contact', () => ({ ...empty(), ...again }));
  const source = useCaptcha(draft.captcha, (captcha) =>
    change({ characters: '', ...(captcha.speech === undefined && { captcha }) }),
  );
  const [isExpired, setExpired] = useState(false);
  const { run, isRunning, error } = useAction(send);
  const seconds = useCountdown(error);

  async function send(): Promise<void> {
    const { characters, captcha: _picture, key, ...written } = draft;
    const captcha_id = source.captcha?.id;
    const body = { ...written, captcha: characters, ...(captcha_id !== undefined && { captcha_id }) };
    try {
      const { message, requestId } = await api
        .post('/api/contact/submit', { body, idempotencyKey: key })
        .catch((failure: unknown) => {
          // The message was edited after a lost response, so it is a new one.
          if (!isApiError(failure, 'IDEMPOTENCY_MISMATCH')) throw failure;
          const idempotencyKey = newKey();
          change({ key: idempotencyKey });
          return api.post('/api/contact/submit', { body, idempotencyKey });
        });
      clear();
      const { subject, name, email, phone, message: text } = written;
      onSent({ message, number: requestId, written: { subject, name, email, phone, message: text } });
    } catch (failure) {
      if (isCaptchaUsed(failure, body)) await source.renew();
      throw failure;
    }
  }

  async function submit(): Promise<void> {
    if (seconds > 0) return;
    const isStale = source.captcha === undefined || source.captcha.expires <= Date.now();
    setExpired(isStale);
    if (isStale) await source.renew();
    else await run();
  }

  const field = (name: 'name' | 'email' | 'phone' | 'message') => ({
    name,
    label: t(name),
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
    error: saidOf(error, name) && (name === 'message' ? sayOf('message') : t(`give_${name}`)),
  });
  /** What the service says about a field, with the field as its subject. */
  function sayOf(name: 'message' | 'captcha'): string | undefined {
    const said = saidOf(error, name);
    if (said === undefined) return undefined;
    return t('about_field', { field: t(name === 'captcha' ? 'answer' : name), said });
  }
  return (
    <Form className={styles.form} onSave={submit}>
      {error !== undefined && !areFieldErrors(error, fields) && <Notice kind="error">{problem(error, true)}</Notice>}
      <SubjectField
        value={subjects.find((subject) => subject === draft.subject) ?? 'other'}
        onChange={(subject) => change({ subject })}
      />
      <Field {...field('name')} autoComplete="name" maxLength={50} />
      <Field {...field('email')} type="email" autoComplete="email" maxLength={254} />
      <Field {...field('phone')} type="tel" autoComplete="tel" hint={t('phone_hint')} maxLength={64} />
      <Field
        {...field('message')}
        rows={3}
        aside={t('length', { count: [...draft.message.trim()].length, most: maxLength })}
      />
      <CaptchaField
        source={source}
        value={draft.characters}
        onChange={(characters) => {
          setExpired(false);
          change({ characters });
        }}
        error={isExpired ? t('expired') : sayOf('captcha')}
      />
      <Button type="submit" look="primary" wide isPending={isRunning || seconds > 0}>
        {t('send')}
      </Button>
      <p role="timer" className={styles.hint}>
        {seconds > 0 && t('wait', { time: formatClock(seconds) })}
      </p>
    </Form>
  );
}
