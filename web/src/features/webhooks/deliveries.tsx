import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { webhookMessages } from './messages.ts';
import { replay, useDeliveries, type WebhookDelivery } from './webhook-queries.ts';
import styles from './webhooks.module.css';

/** Deliveries to a webhook, newest first; those that are not waiting can be replayed. */
export function Deliveries({ id }: { id: number }) {
  const t = useTexts(webhookMessages);
  const read = useDeliveries(id);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = read;
  const again = useAction(async (delivery: number) => {
    await replay(id, delivery);
    toast({ text: t('replayed') });
  });
  const shown = data?.pages.flatMap(({ deliveries }) => deliveries);
  return (
    <>
      <Problem error={again.error} />
      <Loading of={read} />
      {shown?.length === 0 && <p>{t('no_deliveries')}</p>}
      {shown !== undefined && shown.length > 0 && (
        <ul className={styles.deliveries} aria-label={t('deliveries')}>
          {shown.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} onReplay={() => void again.run(delivery.id)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}

function Delivery({ delivery, onReplay }: { delivery: WebhookDelivery; onReplay: () => void }) {
  const t = useTexts(webhookMessages);
  const formats = useOwnFormats();
  const { type, object, state, attempts, created_at, response_status, response_text, error_code } = delivery;
  const time = formats.dateTime(created_at);
  const outcome = [
    t(state),
    ...(attempts > 0 ? [t('attempts', { count: attempts })] : []),
    ...(response_status === null ? [] : [`${response_status}`]),
    ...(error_code === null ? [] : [error_code]),
  ];
  return (
    <li>
      <div>
        <strong>{t(type)}</strong> <code>{object}</code>
        <small>
          <time dateTime={created_at}>{time}</time> · {outcome.join(' · ')}
        </small>
        {state !== 'delivered' && response_text !== null && response_text !== '' && <code>{response_text}</code>}
      </div>
      {state !== 'waiting' && (
        <Button aria-label={t('replay_of', { type: t(type), time })} onPress={onReplay}>
          {t('replay')}
        </Button>
      )}
    </li>
  );
}
