import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { api } from '../../lib/api.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Empty } from '../../ui/page.tsx';
import { type Action, actionsOf } from '../audit/actions.ts';
import { isRemoval } from '../audit/differences.ts';
import { type Names, namesOf } from '../audit/names.ts';
import { Target } from '../audit/target.tsx';
import styles from './admin-home.module.css';
import { latelyMessages } from './lately-messages.ts';
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
                    <Sentence of={action} names={names} />
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

/** Margaret Green changed the class Year 12 B. */
function Sentence({ of: { first, ids }, names }: { of: Action; names: Names }) {
  const says = useTexts(latelyMessages);
  const marks = useMarks();
  const { actor, action, target_type } = first;
  // A name that is not known here is one of an operation of another version.
  const [before, after] = says(action as keyof typeof latelyMessages).split('{what}');
  return (
    <span>
      <strong>{names.user.get(actor.id) ?? actor.username}</strong> {before}
      {after !== undefined && (
        <>
          {ids.slice(0, maxTargets).map((id, index) => (
            <Fragment key={id}>
              {index > 0 && marks.list(['', ''])}
              <Target type={target_type} id={id} names={names} isGone={isRemoval(first)} isShort />
            </Fragment>
          ))}
          {ids.length > maxTargets && ` +${ids.length - maxTargets}`}
          {after}
        </>
      )}
    </span>
  );
}
