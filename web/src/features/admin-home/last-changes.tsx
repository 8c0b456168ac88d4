import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Empty } from '../../ui/page.tsx';
import { actionsOf } from '../audit/actions.ts';
import { isRemoval } from '../audit/differences.ts';
import { actionMessages } from '../audit/messages.ts';
import { namesOf } from '../audit/names.ts';
import { Target } from '../audit/target.tsx';
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

/** The latest changes by administrators. */
export function LastChanges() {
  const t = useTexts(adminHomeMessages);
  const action = useTexts(actionMessages);
  const formats = useFormats(useAccount().timezone);
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
                .map(({ first: entry, ids }) => (
                  <li key={entry.id}>
                    <span>{action(entry.action as keyof typeof actionMessages)}</span>
                    <span>
                      {ids.slice(0, maxTargets).map((id, index) => (
                        <Fragment key={id}>
                          {index > 0 && ' · '}
                          <Target type={entry.target_type} id={id} names={names} isGone={isRemoval(entry)} />
                        </Fragment>
                      ))}
                      {ids.length > maxTargets && ` +${ids.length - maxTargets}`}
                    </span>
                    <small>
                      {names.user.get(entry.actor.id) ?? entry.actor.username}, {formats.fromNow(entry.at)}
                    </small>
                  </li>
                ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
