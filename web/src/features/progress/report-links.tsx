import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { changed } from '../../lib/freshness.ts';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import rows from '../../ui/rows.module.css';
import { toast } from '../../ui/toast.tsx';
import { SecretText } from '../account/secret-text.tsx';
import { reportLinkMessages } from './report-link-messages.ts';

const lifetimes = [7, 30, 90, 365];
const dayMilliseconds = 86_400_000;
type Shared = { id: number; name: string; from: string; to: string };

/** A button that opens the links to the report of a student. */
export function Share(shared: Shared) {
  const t = useTexts(reportLinkMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="no-print">
      <Button
        isSmall
        icon={<Share2 size={16} />}
        aria-label={t('share_named', { name: shared.name })}
        onPress={() => setOpen(true)}
      >
        {t('share')}
      </Button>
      {isOpen && <ShareDialog {...shared} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ShareDialog({ id, name, from, to, onClose }: Shared & { onClose: () => void }) {
  const t = useTexts(reportLinkMessages);
  const common = useTexts(commonMessages);
  const dates = useFormats('UTC');
  const [days, setDays] = useState('30');
  const [url, setUrl] = useState<string>();
  const { run, isRunning, error } = useAction(async () => {
    const expires_at = new Date(Date.now() + Number(days) * dayMilliseconds).toISOString();
    const body = { from, to, expires_at };
    const { data } = await api.post('/api/reports/students/{id}/links', { params: { id }, body });
    setUrl(data.secret_url);
    await changed('report-links');
  });
  return (
    <Dialog title={t('share_named', { name })} isOpen onClose={onClose}>
      <div className="stack-12">
        <p>{t('about')}</p>
        <p>{t('period', { from: dates.date(from), to: dates.date(to) })}</p>
        <Problem error={error} />
        {url === undefined ? (
          <Select
            label={t('ends')}
            value={days}
            onChange={setDays}
            options={lifetimes.map((count) => [`${count}`, t('days', { count })] as const)}
          />
        ) : (
          <Notice kind="success">
            {t('created')}
            <SecretText label={t('link')} value={url} />
          </Notice>
        )}
        <h3>{t('links_of')}</h3>
        <Links userId={id} />
        <div className="buttons">
          {url === undefined && (
            <Button look="primary" isPending={isRunning} onPress={() => void run()}>
              {t('create')}
            </Button>
          )}
          <Button onPress={onClose}>{common('close')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The valid links to reports of all students. */
export function AllLinks() {
  const t = useTexts(reportLinkMessages);
  return (
    <Card title={t('links')} className="no-print">
      <Links />
    </Card>
  );
}

function Links({ userId }: { userId?: number }) {
  const t = useTexts(reportLinkMessages);
  const marks = useMarks();
  const dates = useFormats('UTC');
  const formats = useOwnFormats();
  const [page, setPage] = useState(1);
  const read = useQuery({
    queryKey: ['report-links', userId ?? 0, page],
    queryFn: async ({ signal }) => {
      const query = { page, limit: 10, ...(userId !== undefined && { user_id: userId }) };
      return (await api.get('/api/reports/links', { query, signal })).data;
    },
  });
  const { data } = read;
  const revoke = useAction(async (id: number) => {
    await api.delete('/api/reports/links/{id}', { params: { id } });
    toast({ text: t('revoked') });
    await changed('report-links');
  });
  return (
    <>
      <Problem error={revoke.error} />
      <Loading of={read} />
      {data?.links.length === 0 && <p>{t('none')}</p>}
      <ul className={rows.rows}>
        {data?.links.map(({ id, display_name, from, to, created_by, expires_at, last_used_at }) => {
          const period = `${dates.date(from)} – ${dates.date(to)}`;
          return (
            <li key={id}>
              <span>
                {marks.facts([userId === undefined && display_name, period])}
                <small>
                  {[
                    t('until', { day: formats.date(expires_at) }),
                    t('by', { name: created_by }),
                    last_used_at === null ? t('unused') : t('used', { time: formats.dateTime(last_used_at) }),
                  ].join(' · ')}
                </small>
              </span>
              <Button
                isSmall
                isPending={revoke.isRunning}
                aria-label={t('revoke_named', { name: display_name, period })}
                onPress={() => void revoke.run(id)}
              >
                {t('revoke')}
              </Button>
            </li>
          );
        })}
      </ul>
      {data !== undefined && <Pager label={t('links')} page={page} pages={data.pagination.pages} onChange={setPage} />}
    </>
  );
}
