import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../lib/api.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Empty } from '../../ui/page.tsx';
import { type Action, actionsOf } from '../audit/actions.ts';
import { type Names, namesOf } from '../audit/names.ts';
import { Sentence } from '../audit/sentence.tsx';
import styles from './admin-home.module.css';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';

const shown = 5;
/** Entries that are read: a batch has one for each account. */
const maxEntries = 100;
/** A batch has many targets; the audit log shows more of them. */
const maxTargets = 2;

function useLastChanges() {
  return useQuery({
    queryKey: ['audit', 'last'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/audit', { query: { limit: maxEntries }, signal })).data,
    staleTime: 0, // any change elsewhere adds an entry
  });
}

const nameOf = ({ first: { actor } }: Action, names: Names) => names.user.get(actor.id) ?? actor.username;

/** The latest changes by administrators. */
export function LastChanges() {
  const t = useTexts(adminHomeMessages);
  const formats = useOwnFormats();
  const read = useLastChanges();
  return (
    <Card title={t('changes')} actions={<Link href={href('audit')}>{t('all_changes')}</Link>}>
      <Loaded of={read}>
        {({ entries, names: named }) => {
          if (entries.length === 0) return <Empty>{t('changes_none')}</Empty>;
          const names = namesOf(named);
          return (
            <ul className={styles.list}>
              {actionsOf(entries)
                .slice(0, shown)
                .map((action) => (
                  <li key={action.first.id}>
                    <span>
                      <strong>{nameOf(action, names)}</strong>{' '}
                      <Sentence of={action} names={names} maxTargets={maxTargets} />
                    </span>
                    <small>{formats.fromNow(action.first.at)}</small>
                  </li>
                ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
