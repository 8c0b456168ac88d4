import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, isApiError, type Schemas } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { Sheet } from './report.tsx';
import { reportLinkMessages } from './report-link-messages.ts';
import styles from './reports-page.module.css';

type Result = { data?: Schemas['StudentReport']; error?: unknown };

const tokenInAddress = () => location.hash.slice(1);

/** Target of a link to a report. The secret stays in the address, so that the page can be reloaded and kept. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SharedReportPage() {
  const t = useTexts(reportLinkMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const take = () => setToken(tokenInAddress());
    window.addEventListener('hashchange', take); // another link, opened in the same tab
    return () => window.removeEventListener('hashchange', take);
  }, []);
  const [{ data, error }, setResult] = useState<Result>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    if (token === '') return;
    const ended = new AbortController();
    setResult({});
    api.post('/api/reports/shared', { body: { token }, signal: ended.signal }).then(
      (reply) => setResult({ data: reply.data }),
      (failure) => !ended.signal.aborted && setResult({ error: failure }),
    );
    return () => ended.abort();
  }, [token, attempt]);
  if (token === '' || isApiError(error, 'RESOURCE_NOT_FOUND') || isApiError(error, 'VALIDATION_ERROR'))
    return (
      <main className={styles.shared}>
        <Page title={t('invalid_title')}>
          <Notice kind="error">{t(token === '' ? 'incomplete' : 'invalid')}</Notice>
        </Page>
      </main>
    );
  return (
    <main className={styles.shared}>
      <Page
        title={data?.display_name ?? t('shared_title')}
        actions={
          data !== undefined && (
            <Button icon={<Printer size={18} />} onPress={() => print()}>
              {t('print')}
            </Button>
          )
        }
      >
        <Card>
          {error !== undefined && (
            <>
              <Notice kind="error">{problem(error)}</Notice>
              <Button onPress={() => setAttempt(attempt + 1)}>{common('retry')}</Button>
            </>
          )}
          {data === undefined && error === undefined && <Skeleton label={common('loading')} lines={8} />}
          {data !== undefined && <Sheet report={data} />}
        </Card>
      </Page>
    </main>
  );
}
