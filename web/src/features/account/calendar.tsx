import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './account.module.css';
import { calendarMessages } from './calendar-messages.ts';
import { SecretText } from './secret-text.tsx';

/** The address that a calendar subscribes to. */
export function Calendar() {
  const t = useTexts(calendarMessages);
  const formats = useOwnFormats();
  const [address, setAddress] = useState<string>();
  const read = useQuery({
    queryKey: ['calendar'],
    queryFn: async ({ signal }) => (await api.get('/api/me/calendar', { signal })).data,
  });
  const { data } = read;
  const create = useAction(async () => {
    setAddress((await api.post('/api/me/calendar')).data.secret_url);
    await changed('calendar');
  });
  const revoke = useAction(async () => {
    await api.delete('/api/me/calendar');
    setAddress(undefined);
    await changed('calendar');
  });
  const failure = create.error ?? revoke.error;
  return (
    <Card title={t('title')}>
      <div className="stack">
        <p className={styles.hint}>{t('about')}</p>
        {read.isError && <Loading of={read} />}
        <Problem error={failure} />
        {address !== undefined && (
          <Notice kind="success">
            {t('created')}
            <SecretText label={t('address')} value={address} />
          </Notice>
        )}
        {data === null && <p>{t('none')}</p>}
        {data != null && (
          <p>
            {t('since', { day: formats.date(data.created_at) })}
            {' · '}
            {data.last_used_at === null ? t('unread') : t('read', { time: formats.dateTime(data.last_used_at) })}
          </p>
        )}
        <div className="buttons">
          <Button isPending={create.isRunning} onPress={() => void create.run()}>
            {t(data == null ? 'create' : 'replace')}
          </Button>
          {data != null && (
            <Button isPending={revoke.isRunning} onPress={() => void revoke.run()}>
              {t('revoke')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
