import { useState } from 'react';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookMessages } from './messages.ts';
import { WebhookForm } from './webhook-form.tsx';
import { deleteWebhook, ping, rotateSecret, updateWebhook, type Webhook } from './webhook-queries.ts';
import styles from './webhooks.module.css';

type Props = { webhook: Webhook; onSecret: (secret: string | undefined) => void };

/** One webhook: status, actions and, on request, its deliveries. */
export function WebhookCard({ webhook, onSecret }: Props) {
  const t = useTexts(webhookMessages);
  const formats = useOwnFormats();
  const [open, setOpen] = useState<'form' | 'rotate' | 'delete'>();
  const [isListed, setListed] = useState(false);
  const close = () => setOpen(undefined);
  const { url, events, active, disabled_reason, failures, waiting, skips_since } = webhook;
  const toggle = useAction(() => updateWebhook(webhook, { active: !active }));
  const test = useAction(async () => {
    await ping(webhook);
    setListed(true);
    toast({ text: t('tested') });
  });
  const rotate = useAction(async () => {
    onSecret(await rotateSecret(webhook));
    close();
  });
  const remove = useAction(async () => {
    await deleteWebhook(webhook);
    close();
  });
  const failed = toggle.error ?? test.error;
  const state = [
    t(active ? 'on' : 'off'),
    ...(failures > 0 ? [t('failing', { count: failures })] : []),
    ...(waiting > 0 ? [t('waiting_count', { count: waiting })] : []),
  ];
  return (
    <Card title={url} className={styles.card}>
      <p className="muted">{state.join(' · ')}</p>
      {disabled_reason !== null && <Notice kind="error">{t(`off_${disabled_reason}`)}</Notice>}
      {active && skips_since !== null && (
        <Notice kind="error">{t('skips', { time: formats.dateTime(skips_since) })}</Notice>
      )}
      <Problem error={failed} />
      <ul className={styles.chips} aria-label={t('events')}>
        {events.map((name) => (
          <li key={name}>{t(name)}</li>
        ))}
      </ul>
      <div className="buttons">
        <Button isPending={toggle.isRunning} onPress={() => void toggle.run()}>
          {t(active ? 'switch_off' : 'switch_on')}
        </Button>
        {active && (
          <Button isPending={test.isRunning} onPress={() => void test.run()}>
            {t('test')}
          </Button>
        )}
        <Button onPress={() => setOpen('form')}>{t('edit')}</Button>
        <Button onPress={() => setOpen('rotate')}>{t('rotate')}</Button>
        <Button aria-expanded={isListed} onPress={() => setListed(!isListed)}>
          {t('deliveries')}
        </Button>
        <Button look="danger" onPress={() => setOpen('delete')}>
          {t('delete')}
        </Button>
      </div>
      {isListed && <Deliveries id={webhook.id} />}
      {open === 'form' && <WebhookForm webhook={webhook} onClose={close} />}
      {open === 'rotate' && (
        <ConfirmDialog
          title={t('rotate_title')}
          label={t('rotate')}
          look="primary"
          action={rotate}
          onConfirm={rotate.run}
          onClose={close}
        >
          <p>{t('rotate_why')}</p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('delete_title')}
          label={t('delete')}
          action={remove}
          onConfirm={remove.run}
          onClose={close}
        >
          <p className={styles.url}>{url}</p>
          <p>{t('delete_why')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
