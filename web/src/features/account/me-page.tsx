import { Suspense } from 'react';
import { Link } from 'wouter';
import { readAccount } from '../../lib/api.ts';
import { loadable } from '../../lib/loadable.tsx';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Page } from '../../ui/page.tsx';
import { PasswordForm } from '../auth/password-form.tsx';
import { passwordsAreOff } from '../auth/single-sign-on.ts';
import { KeysSwitch } from '../help/keys-switch.tsx';
import { helpMessages } from '../help/messages.ts';
import styles from './account.module.css';
import { Mails } from './mails.tsx';
import { accountMessages } from './messages.ts';
import { ProfileCard } from './profile.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignIns } from './sign-ins.tsx';

const Access = loadable(() => import('./access.tsx'));

/** The user's own account: profile, password, second factor, sign-ins and access tokens. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function MePage() {
  const t = useTexts(accountMessages);
  const help = useTexts(helpMessages);
  return (
    <Page title={t('title')}>
      <div className={styles.columns}>
        <ProfileCard />
        <div className={styles.stack}>
          {!passwordsAreOff && (
            <Card title={t('password')}>
              <PasswordForm onChanged={readAccount} />
            </Card>
          )}
          <SecondFactor />
          <Mails />
          <Card title={help('title')}>
            <KeysSwitch />
            <Link href={href('help')}>{help('see')}</Link>
          </Card>
        </div>
        <div className={styles.whole}>
          <SignIns />
        </div>
        <div className={styles.whole}>
          <Suspense fallback={null}>
            <Access />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}
