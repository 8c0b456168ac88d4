import { Link } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { zoneName } from '../../lib/zone.ts';
import { href } from '../../routes.ts';
import { LoadingPage } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import { noFilter } from '../audit/audit-queries.ts';
import { Changes } from '../audit/changes.tsx';
import { userMessages } from './messages.ts';
import { PersonPage } from './person-page.tsx';
import { UserAccess } from './user-access.tsx';
import { UserForm } from './user-form.tsx';
import { userPageMessages } from './user-page-messages.ts';
import { type User, useGroupsOf, useUser } from './user-queries.ts';
import { UserScope } from './user-scope.tsx';
import { UserWork } from './user-work.tsx';
import styles from './users.module.css';

/** One account: facts, profile and access. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function UserPage({ id }: { id: number }) {
  const t = useTexts(userPageMessages);
  const list = useTexts(userMessages);
  const { id: own } = useAccount();
  const { filter, page, turnTo } = useUrlFilter({ tab: '' });
  const read = useUser(id);
  const { data: user, error } = read;
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (user === undefined) return <LoadingPage title={list('title')} of={read} />;
  if (filter.tab === 'access' && user.role === 'admin' && id !== own) return <UserScope key={user.etag} user={user} />;
  const isHistory = filter.tab === 'history';
  return (
    <PersonPage user={user} here={isHistory ? 'history' : 'account'}>
      {isHistory ? (
        <Changes filter={{ ...noFilter, target_type: 'user', target_id: `${id}` }} page={page} onTurn={turnTo} />
      ) : (
        <div className={styles.columns}>
          {id === own && (
            <p className={styles.own} id="own-account">
              {t('own')} <Link href={href('me')}>{t('me')}</Link>
            </p>
          )}
          <Card title={t('account')}>
            <UserForm user={user} />
          </Card>
          <div className="stack">
            <Card>
              <Facts user={user} />
            </Card>
            <UserAccess user={user} />
          </div>
        </div>
      )}
    </PersonPage>
  );
}

function Facts({ user: { id, role, created_at, last_login_at, timezone } }: { user: User }) {
  const t = useTexts(userPageMessages);
  const { locale } = useSettings();
  const formats = useOwnFormats();
  const { data: groups } = useGroupsOf(id);
  return (
    <div className="stack">
      <dl className={styles.facts}>
        <div>
          <dt>{t('created')}</dt>
          <dd>{formats.date(created_at)}</dd>
        </div>
        <div>
          <dt>{t('last_login')}</dt>
          <dd>{last_login_at === null ? t('never') : formats.dateTime(last_login_at)}</dd>
        </div>
        <div>
          <dt>{t('timezone')}</dt>
          <dd>{zoneName(timezone, locale)}</dd>
        </div>
        {role === 'user' && (
          <div className="whole">
            <dt>{t('groups')}</dt>
            <dd>
              {groups?.length === 0 && t('no_groups')}
              {groups?.map((group, index) => (
                <span key={group.id}>
                  {index > 0 && ' · '}
                  <Link href={href('group', { id: group.id })}>{group.name}</Link>
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <UserWork id={id} />
    </div>
  );
}
