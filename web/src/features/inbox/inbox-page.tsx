import { ChevronLeft, Download, Tag } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { saveFile } from '../../lib/save-file.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ChosenRequest } from './chosen-request.tsx';
import { deferred, useDeferred } from './deferred.ts';
import styles from './inbox.module.css';
import { InboxKeys, KeyHint } from './inbox-keys.tsx';
import { exportRequests, type InboxFilter, statuses, subjects, useRequests } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import { RequestList } from './request-list.tsx';

const defaults: InboxFilter = { status: 'pending', subject: 'all', search: '' };

/** Contact requests: the list, and the open one beside it. A phone shows one of the two. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function InboxPage({ id }: { id?: number }) {
  const t = useTexts(inboxMessages);
  const [, navigate] = useLocation();
  const query = useSearch();
  const { filter: given, page, change, turnTo } = useUrlFilter(defaults);
  const filter: InboxFilter = {
    status: statuses.find((status) => status === given.status) ?? defaults.status,
    subject: subjects.find((subject) => subject === given.subject) ?? defaults.subject,
    search: useDebounced(given.search, 200),
  };
  const requests = useRequests(filter, page);
  const { data: found } = requests;
  const resolving = useDeferred();
  const data = found && {
    ...found,
    requests: found.requests.filter((request) => !resolving.includes(request.id) || filter.status === 'all'),
  };
  /** Requests that are about to be resolved no longer count as open. */
  const leaving = (status: string) =>
    found?.requests.filter((request) => request.status === status && resolving.includes(request.id)).length ?? 0;
  const file = useAction(async () => saveFile(await exportRequests(filter), 'contact-requests.csv'));

  const withFilter = (path: string) => (query === '' ? path : `${path}?${query}`);
  const linkTo = (request: number) => withFilter(href('request', { id: request }));
  const ids = data?.requests.map((request) => request.id) ?? [];
  const index = id === undefined ? -1 : ids.indexOf(id);
  const go = (to: number | undefined) => to !== undefined && navigate(linkTo(to));
  // Only visible requests are changed in bulk: filtering or paging deselects the others.
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const picked = ids.filter((one) => chosen.has(one));
  function pick(some: readonly number[], isOn: boolean): void {
    const next = new Set(picked);
    for (const one of some) isOn ? next.add(one) : next.delete(one);
    setChosen(next);
  }
  useShortcuts({
    ...(index >= 0 && id !== undefined && { [shortcuts.pick]: () => pick([id], !chosen.has(id)) }),
    [shortcuts.undo]: () => {
      const last = deferred.last();
      if (last === undefined) return;
      deferred.remove(last);
      go(last);
    },
    [shortcuts.next]: () => go(ids[index + 1]),
    [shortcuts.previous]: () => go(ids[Math.max(0, index - 1)]),
  });
  const showList = () => navigate(withFilter(href('inbox')), { replace: true });
  /** The request below, else the one above. */
  const next = index < 0 ? undefined : (ids[index + 1] ?? ids[index - 1]);

  const isFiltered = filter.subject !== 'all' || filter.search !== '';
  return (
    <Page
      title={t('title')}
      beside={
        <div className={cx(styles.states, id !== undefined && styles.reading)}>
          <ViewSwitch
            label={t('states')}
            options={statuses.map((status) => {
              const count = data && data.stats[status === 'all' ? 'total' : status] - leaving(status);
              return [status, count === undefined ? t(status) : `${t(status)} ${count}`] as const;
            })}
            value={filter.status}
            onChange={(status) => change({ status })}
          />
        </div>
      }
      actions={
        <div className={cx(styles.states, id !== undefined && styles.reading)}>
          <Button icon={<Download size={18} />} isPending={file.isRunning} onPress={() => void file.run()}>
            {t('export')}
          </Button>
        </div>
      }
    >
      <div className={cx(styles.inbox, id !== undefined && styles.reading)}>
        <div className={styles.list}>
          <div className={styles.filters}>
            <SearchField
              label={t('search')}
              value={given.search}
              onChange={(search) => change({ search })}
              inside={<KeyHint of="search" />}
            />
            <Select
              label={t('subject')}
              isLabelHidden
              icon={<Tag size={15} />}
              value={filter.subject}
              onChange={(subject) => change({ subject })}
              options={[['all', t('all_subjects')], ...subjects.map((subject) => [subject, t(subject)] as const)]}
            />
          </div>
          <Problem error={file.error} />
          <Loading of={requests} lines={6} />
          {data?.requests.length === 0 && (
            <Card>
              <Empty>
                <p>{t(isFiltered || filter.status !== 'pending' ? 'none' : 'answered')}</p>
                {isFiltered && <Button onPress={() => change(defaults)}>{t('clear')}</Button>}
              </Empty>
            </Card>
          )}
          {data !== undefined && (
            <BulkBar
              shown={ids}
              picked={picked}
              accounts={data.requests.filter(
                ({ id: each, subject, status }) =>
                  picked.includes(each) && subject === 'account_registration' && status !== 'resolved',
              )}
              onPick={pick}
              onDeleted={(gone) => id !== undefined && gone.includes(id) && showList()}
            />
          )}
          {data !== undefined && data.requests.length > 0 && (
            <RequestList
              requests={data.requests}
              chosen={id}
              picked={picked}
              onPick={pick}
              isStateShown={filter.status === 'all'}
              linkTo={linkTo}
            />
          )}
          {data !== undefined && (
            <Pager label={t('requests')} page={page} pages={data.pagination.pages} onChange={turnTo} />
          )}
          <InboxKeys />
        </div>
        <div className={styles.pane}>
          {id === undefined ? (
            <p className={styles.choose}>{t('choose')}</p>
          ) : (
            <>
              <Link href={withFilter(href('inbox'))} className={styles.back}>
                <ChevronLeft size={18} /> {t('back')}
              </Link>
              <ChosenRequest
                key={id}
                id={id}
                list={requests}
                linkTo={linkTo}
                hasSelection={picked.length > 0}
                onDone={() => (next === undefined ? showList() : go(next))}
              />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}
