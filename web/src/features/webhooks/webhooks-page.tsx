import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { SecretText } from '../account/secret-text.tsx';
import { webhookMessages } from './messages.ts';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { useWebhooks } from './webhook-queries.ts';
import styles from './webhooks.module.css';

/** The webhooks and their deliveries. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function WebhooksPage() {
  const t = useTexts(webhookMessages);
  const read = useWebhooks();
  const { data } = read;
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Page
      title={t('title')}
      below={t('about')}
      actions={
        <Button look="primary" icon={<Plus size={18} />} onPress={() => setNew(true)}>
          {t('new')}
        </Button>
      }
    >
      <div className={styles.page}>
        {secret !== undefined && (
          <Notice kind="success">
            <div className="stack-12">
              <p>{t('created')}</p>
              <SecretText label={t('secret')} value={secret} />
            </div>
          </Notice>
        )}
        <Loading of={read} />
        {data?.length === 0 && (
          <Card>
            <Empty>
              <p>{t('first')}</p>
            </Empty>
          </Card>
        )}
        {data?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
        ))}
      </div>
      {isNew && <WebhookForm onClose={() => setNew(false)} onSecret={setSecret} />}
    </Page>
  );
}
