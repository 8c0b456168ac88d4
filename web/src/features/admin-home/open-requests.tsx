import { Link } from 'wouter';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import styles from './admin-home.module.css';
import { useOpenRequests } from './home-queries.ts';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';

const shown = 3;
const actions = { account_registration: 'create', password_reset: 'reset' } as const;

/** The requests that have waited longest, each with what answers it. */
export function OpenRequests() {
  const t = useTexts(adminHomeMessages);
  const formats = useOwnFormats();
  const read = useOpenRequests();
  const count = read.data?.stats.pending ?? 0;
  return (
    <Card
      title={t('inbox')}
      actions={<Link href={href('inbox')}>{count > 0 ? t('open_count', { count }) : t('open')}</Link>}
    >
      <Loaded of={read}>
        {({ requests, stats }) =>
          stats.total === 0 ? (
            <p className="note">
              {t('no_requests')} <Link href={href('contact')}>{href('contact')}</Link>
            </p>
          ) : requests.length === 0 ? (
            <Empty>{t('answered')}</Empty>
          ) : (
            <ul className={styles.requests}>
              {requests.slice(0, shown).map(({ id, name, subject, created_at, overdue }) => (
                <li key={id}>
                  <Avatar id={id} name={name} size="small" />
                  <div>
                    <Link href={href('request', { id })}>{name}</Link>
                    <small className={overdue ? styles.overdue : undefined}>
                      {t(subject)} · {overdue ? t('overdue') : formats.age(created_at)}
                    </small>
                  </div>
                  <LinkButton href={href('request', { id })} isSmall>
                    {t(subject in actions ? actions[subject as keyof typeof actions] : 'read')}
                  </LinkButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
