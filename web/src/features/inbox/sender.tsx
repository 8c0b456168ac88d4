import { Copy } from 'lucide-react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import type { RequestDetail } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import styles from './request-detail.module.css';

/** The sender's contact details with copy buttons. */
export function Sender({ request: { name, email, phone } }: { request: RequestDetail }) {
  const t = useTexts(inboxMessages);
  const copy = (what: string, text: string) => (
    <Button
      look="quiet"
      aria-label={t('copy', { what })}
      icon={<Copy size={16} />}
      onPress={() => void navigator.clipboard?.writeText(text).then(() => toast({ text: t('copied') }))}
    />
  );
  return (
    <dl className={styles.sender}>
      <div>
        <dt className="visually-hidden">{t('email')}</dt>
        <dd>
          <span>
            {name} · {email}
          </span>
          {copy(t('email'), email)}
        </dd>
      </div>
      {phone !== undefined && (
        <div>
          <dt>{t('phone')}</dt>
          <dd>
            {phone} {copy(t('phone'), phone)}
          </dd>
        </div>
      )}
    </dl>
  );
}
