import { Database, KeyRound, type LucideIcon, Target, UserRound } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { readAccount } from '../../lib/api.ts';
import { loadable } from '../../lib/loadable.tsx';
import { commonMessages } from '../../lib/messages.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { PasswordForm } from '../auth/password-form.tsx';
import { passwordsAreOff } from '../auth/single-sign-on.ts';
import { DaysOffCard } from '../days-off/days-off-card.tsx';
import { KeysSwitch } from '../help/keys-switch.tsx';
import { helpMessages } from '../help/messages.ts';
import { Appearance } from './appearance.tsx';
import styles from './me-page.module.css';
import { accountMessages } from './messages.ts';
import { ProfileCard } from './profile.tsx';
import { Reminders } from './reminders.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignIns } from './sign-ins.tsx';
import { StudyCard } from './study-card.tsx';

const Access = loadable(() => import('./access.tsx'));
type Part = 'you' | 'study' | 'sign-in' | 'data';

/** The user's own account in four pages. Teachers have no goals of study. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function MePage({ part }: { part: string }) {
  const t = useTexts(accountMessages);
  const { role } = useAccount();
  const parts: { name: Part; Icon: LucideIcon }[] = [
    { name: 'you', Icon: UserRound },
    { name: 'study', Icon: Target },
    { name: 'sign-in', Icon: KeyRound },
    { name: 'data', Icon: Database },
  ];
  const shown = parts.find(({ name }) => name === part)?.name ?? 'you';
  return (
    <Page title={t('title')}>
      <div className={styles.settings}>
        <nav className={styles.parts} aria-label={t('title')}>
          {parts.map(({ name, Icon }) => (
            <Link
              key={name}
              href={name === 'you' ? href('me') : href('mySettings', { part: name })}
              aria-current={name === shown ? 'page' : undefined}
            >
              <Icon size={18} strokeWidth={1.75} />
              <span>
                {t(name)}
                <small>{t(name === 'study' && role === 'admin' ? 'study_admin_about' : `${name}_about`)}</small>
              </span>
            </Link>
          ))}
        </nav>
        <div className="stack">{contents()[shown]()}</div>
      </div>
    </Page>
  );
}

const contents = (): Record<Part, () => ReactNode> => ({
  you: () => (
    <>
      <ProfileCard />
      <Appearance />
      <Keys />
    </>
  ),
  study: () => (
    <>
      <StudyCard />
      <OwnDaysOff />
      <Reminders />
    </>
  ),
  'sign-in': () => (
    <>
      {!passwordsAreOff && <Password />}
      <SecondFactor />
      <SignIns />
    </>
  ),
  data: () => <Data />,
});

function OwnDaysOff() {
  return useAccount().role === 'user' && <DaysOffCard />;
}

function Keys() {
  const help = useTexts(helpMessages);
  return (
    <Card title={help('keys')} className={styles.keyboard}>
      <KeysSwitch />
      <Link href={href('help')}>{help('see')}</Link>
    </Card>
  );
}

function Password() {
  const t = useTexts(accountMessages);
  return (
    <Card title={t('password')}>
      <PasswordForm onChanged={readAccount} />
    </Card>
  );
}

function Data() {
  const common = useTexts(commonMessages);
  return (
    <Suspense fallback={<Skeleton label={common('loading')} lines={8} />}>
      <Access />
    </Suspense>
  );
}
