import { useState } from 'react';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, SaveButtons } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { webhookMessages } from './messages.ts';
import { createWebhook, updateWebhook, type Webhook, type WebhookEvent, webhookEvents } from './webhook-queries.ts';
import styles from './webhooks.module.css';

type Props = {
  /** Absent for a new one. */
  webhook?: Webhook;
  onClose: () => void;
  onSecret?: (secret: string | undefined) => void;
};

/** The address and the events of a webhook. */
export function WebhookForm({ webhook, onClose, onSecret }: Props) {
  const t = useTexts(webhookMessages);
  // Pinned: a refetch behind the dialog must not let it overwrite values that it never showed.
  const [opened] = useState(webhook);
  const [url, setUrl] = useState(opened?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(opened?.events ?? []);
  const [key, setKey] = useState(newKey);
  const { run, isRunning, error } = useAction(async () => {
    const fields = { url, events: [...events] };
    if (opened === undefined) onSecret?.(await createWebhook(fields, key));
    else await updateWebhook(opened, fields);
    onClose();
  });
  const edit = (change: () => void) => {
    change();
    setKey(newKey());
  };
  return (
    <Dialog title={t(opened === undefined ? 'new' : 'edit')} isOpen onClose={onClose}>
      <Form className="stack" onSave={() => run()}>
        <Problem error={error} besides={['url']} />
        <Field
          label={t('url')}
          hint={t('url_hint')}
          type="url"
          value={url}
          onChange={(text) => edit(() => setUrl(text))}
          maxLength={2000}
          autoComplete="off"
          autoFocus
          error={fieldProblem(error, 'url')}
        />
        <fieldset className={styles.events}>
          <legend>{t('events')}</legend>
          {webhookEvents.map((name) => (
            <Checkbox
              key={name}
              isSelected={events.includes(name)}
              onChange={(isChosen) =>
                edit(() =>
                  setEvents(webhookEvents.filter((other) => (other === name ? isChosen : events.includes(other)))),
                )
              }
            >
              {t(name)}
            </Checkbox>
          ))}
        </fieldset>
        <div className="buttons">
          <SaveButtons isPending={isRunning} isDisabled={url.trim() === '' || events.length === 0} onCancel={onClose} />
        </div>
      </Form>
    </Dialog>
  );
}

const newKey = () => `webhook-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
