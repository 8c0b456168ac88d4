import { CloudOff } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useOnline } from '../../lib/online.ts';
import { outage, useNextTry } from '../../lib/outage.ts';
import { flush, useOutbox } from '../../lib/outbox/outbox.ts';
import { useSession } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { NextTry } from '../../ui/next-try.tsx';
import { outboxMessages } from './messages.ts';
import styles from './outbox.module.css';
import { WaitingList } from './waiting-list.tsx';

/** Connection problems and unsent entries; renders nothing if there are none. */
export function Connection() {
  const t = useTexts(outboxMessages);
  const isOnline = useOnline();
  const nextTry = useNextTry();
  const isOutage = isOnline && nextTry !== undefined;
  const isOfflineSession = useSession().state === 'offline';
  const [isOpen, setOpen] = useState(false);
  const entries = useOutbox();
  const refused = entries.filter((entry) => entry.refused !== undefined).length;
  const waiting = entries.filter((entry) => entry.refused === undefined && (entry.isWaiting || !isOnline)).length;
  if (isOnline && !isOutage && !isOfflineSession && refused + waiting === 0) return null;
  const texts = [
    !isOnline && t('offline'),
    isOnline && !isOutage && (isOfflineSession || waiting > 0) && t('unreachable'),
    waiting > 0 && t('waiting', { count: waiting }),
    refused > 0 && t('refused', { count: refused }),
    !isOnline && refused + waiting === 0 && t('offline_kept'),
  ];
  return (
    <section aria-label={t('region')} className={cx(styles.banner, refused > 0 && styles.bad, 'no-print')}>
      <div className={styles.line}>
        <CloudOff size={18} />
        <p>
          {isOutage && <NextTry at={nextTry} />} <span role="status">{texts.filter(Boolean).join(' ')}</span>
        </p>
        {refused + waiting > 0 && (
          <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {t(isOpen ? 'hide' : 'show')}
          </Button>
        )}
        {isOutage ? (
          <Button look="quiet" onPress={outage.tryAgain}>
            {t('try')}
          </Button>
        ) : (
          isOnline &&
          waiting > 0 && (
            <Button look="quiet" onPress={() => void flush()}>
              {t('send')}
            </Button>
          )
        )}
      </div>
      {isOpen && refused + waiting > 0 && (
        <div className={styles.wide}>
          <WaitingList />
        </div>
      )}
    </section>
  );
}
