import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import rows from '../../ui/rows.module.css';
import styles from './account.module.css';
import { NewToken } from './new-token.tsx';
import { tokenMessages } from './token-messages.ts';

/** The user's personal access tokens. */
export function Tokens() {
  const t = useTexts(tokenMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<{ id: number; name: string }>();
  const read = useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await api.get('/api/me/tokens', { signal })).data,
  });
  const { data } = read;
  const revoke = useAction(async (id: number) => {
    await api.delete('/api/me/tokens/{id}', { params: { id } });
    setRevoking(undefined);
    await changed('tokens');
  });
  return (
    <Card title={t('title')}>
      <p className={styles.hint}>{t('about')}</p>
      <Loading of={read} lines={1} />
      {data?.length === 0 && <p className={styles.none}>{t('none')}</p>}
      <ul className={rows.rows} aria-label={t('list')}>
        {data?.map(({ id, name, scopes, expires_at, last_used_at }) => (
          <li key={id}>
            <span>
              {name}
              <small>
                {[
                  marks.list(scopes.map((scope) => t(scope))),
                  t('until', { day: formats.date(expires_at) }),
                  last_used_at === null ? t('unused') : t('used', { time: formats.dateTime(last_used_at) }),
                ].join(' · ')}
              </small>
            </span>
            <Button aria-label={t('revoke_named', { name })} onPress={() => setRevoking({ id, name })}>
              {t('revoke')}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding ? (
        <NewToken />
      ) : (
        <Button icon={<Plus size={16} />} onPress={() => setAdding(true)}>
          {t('new')}
        </Button>
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          title={t('revoke_title', { name: revoking.name })}
          label={t('revoke')}
          action={revoke}
          onConfirm={() => revoke.run(revoking.id)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{t('revoke_why')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
