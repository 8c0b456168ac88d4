import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Page } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { userMessages } from './messages.ts';
import { PersonTabs } from './person-tabs.tsx';
import type { User } from './user-queries.ts';

type Props = { user: User; here: 'account' | 'access' | 'history'; actions?: ReactNode; children: ReactNode };

/** A view of an account, with the same head and tabs as the others. */
export function PersonPage({ user: { id, role, display_name: name }, here, actions, children }: Props) {
  const t = useTexts(userMessages);
  return (
    <Page
      title={name}
      mark={<Avatar id={id} name={name} size="large" />}
      above={
        <>
          <Link href={href('users')}>{t('title')}</Link> · {t(role)}
        </>
      }
      actions={actions}
    >
      <PersonTabs id={id} role={role} here={here} />
      {children}
    </Page>
  );
}
