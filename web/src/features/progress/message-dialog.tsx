import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/draft.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Letter } from './letter.ts';

const texts = {
  title: {
    en: { one: 'Write to {count} student', other: 'Write to {count} students' },
    zh: '写邮件给 {count} 名学生',
  },
  subject: { en: 'Subject', zh: '主题' },
  text: { en: 'Message', zh: '正文' },
  hint: {
    en: 'Each student gets their own mail, which names none of the others. Replies go to your e-mail address.',
    zh: '每名学生会收到单独的邮件，不会看到其他收件人；回复将发送到您的邮箱。',
  },
  send: { en: 'Send', zh: '发送' },
  sent: {
    en: { one: 'Sent to {count} student.', other: 'Sent to {count} students.' },
    zh: '已发送给 {count} 名学生。',
  },
} as const satisfies Catalogue;

const newKey = () => `message-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

type Props = {
  ids: readonly number[];
  /** What the mail begins with. */
  letter: Letter | undefined;
  onClose: () => void;
};

/** Sends a mail to each of these students through the service. What is typed is kept until it is sent. */
export function MessageDialog({ ids, letter = { subject: '', text: '' }, onClose }: Props) {
  const t = useTexts(texts);
  const common = useTexts(commonMessages);
  const draft = useDraft(ids.length === 1 ? `message.${ids[0]}` : 'message', () => letter);
  const { subject, text } = draft.value;
  // A new key per content: a retry after a lost response sends nothing twice.
  const [idempotencyKey, setKey] = useState(newKey);
  function change(fields: Partial<typeof draft.value>): void {
    draft.set(fields);
    setKey(newKey());
  }
  const { run, isRunning, error } = useAction(async () => {
    const body = { user_ids: [...ids], subject, text };
    const { data } = await api.post('/api/admin/messages', { body, idempotencyKey });
    draft.clear();
    toast({ text: t('sent', { count: data.sent_count }) });
    onClose();
  });
  return (
    <Dialog title={t('title', { count: ids.length })} isOpen onClose={onClose}>
      <Form className="stack" onSave={() => void run()}>
        <Problem error={error} besides={['subject', 'text']} />
        <Field
          label={t('subject')}
          value={subject}
          onChange={(value) => change({ subject: value })}
          maxLength={120}
          autoFocus
          error={fieldProblem(error, 'subject')}
        />
        <Field
          label={t('text')}
          hint={t('hint')}
          value={text}
          onChange={(value) => change({ text: value })}
          maxLength={2000}
          rows={8}
          error={fieldProblem(error, 'text')}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isPending={isRunning}>
            {t('send')}
          </Button>
          <Button onPress={onClose}>{common('cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
