import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useEveryone } from '../progress/everyone.ts';
import { ClassTable } from './class-table.tsx';
import { useGroupList } from './group-queries.ts';
import styles from './groups.module.css';
import { groupMessages } from './messages.ts';
import { NameDialog } from './name-dialog.tsx';

const defaults = { search: '' };

/** All groups, such as classes, with the number of their members. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function GroupsPage() {
  const t = useTexts(groupMessages);
  const [, navigate] = useLocation();
  const { filter, page, change, turnTo } = useUrlFilter(defaults);
  const read = useGroupList(useDebounced(filter.search, 200), page);
  const { data } = read;
  const everyone = useEveryone('').data?.students;
  const [isNew, setNew] = useState(false);
  const isFirst = data?.groups.length === 0 && filter.search === '';
  const isLimited = useIsLimited();
  const create = !isLimited && (
    <Button look="primary" icon={<Plus size={18} />} onPress={() => setNew(true)}>
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('title')} actions={!isFirst && create}>
      {!isFirst && (
        <div className={styles.filters}>
          <SearchField label={t('search')} value={filter.search} onChange={(search) => change({ search })} />
        </div>
      )}
      <Loading of={read} lines={6} />
      {data?.groups.length === 0 && (
        <Card>
          <Empty>
            <p>{t(isFirst ? (isLimited ? 'first_limited' : 'first') : 'none')}</p>
            {isFirst ? create : <Button onPress={() => change(defaults)}>{t('clear')}</Button>}
          </Empty>
        </Card>
      )}
      {data !== undefined && data.groups.length > 0 && (
        <Card isFlush>
          <ClassTable label={t('title')} classes={data.groups} students={everyone} />
        </Card>
      )}
      {data !== undefined && <Pager label={t('title')} page={page} pages={data.pagination.pages} onChange={turnTo} />}
      {isNew && <NameDialog onClose={() => setNew(false)} onSaved={(id) => navigate(href('group', { id }))} />}
    </Page>
  );
}
