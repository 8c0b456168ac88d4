import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './account.module.css';
import { exportMessages } from './export-messages.ts';

/** Export of the user's data as one file, created in the background. */
export function PersonalExport() {
  const t = useTexts(exportMessages);
  const formats = useOwnFormats();
  const read = useQuery({
    queryKey: ['export'],
    queryFn: async ({ signal }) => (await api.get('/api/me/export', { signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 2_000 : false),
  });
  const { data } = read;
  const request = useAction(async () => {
    await api.post('/api/me/export');
    await changed('export');
  });
  const download = useAction(async () =>
    saveFile(await api.download('/api/me/export/file'), 'studytrack-export.tar.gz'),
  );
  const failure = request.error ?? download.error;
  const isPending = data?.state === 'pending';
  return (
    <Card title={t('title')}>
      <div className="stack">
        <p className={styles.hint}>
          {t('about')} <Link href={href('privacy')}>{t('kept')}</Link>
        </p>
        {read.isError && <Loading of={read} />}
        <Problem error={failure} />
        {data?.state === 'failed' && <Notice kind="error">{t('failed')}</Notice>}
        <p role="status" className={styles.status}>
          {isPending && t('pending')}
          {data?.expires_at != null && t('ready', { time: formats.dateTime(data.expires_at) })}
        </p>
        <div className="buttons">
          {data?.state === 'ready' && (
            <Button look="primary" isPending={download.isRunning} onPress={() => void download.run()}>
              {t('download')}
            </Button>
          )}
          <Button isPending={request.isRunning || isPending} onPress={() => void request.run()}>
            {t('request')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
