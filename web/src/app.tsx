import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { SignInPage } from './features/auth/sign-in-page.tsx';
import { Header } from './frame/header.tsx';
import { resume } from './lib/api.ts';
import { loadable } from './lib/loadable.tsx';
import { commonMessages } from './lib/messages.ts';
import { useNextTry } from './lib/outage.ts';
import { useSession } from './lib/session.ts';
import { useTexts } from './lib/texts.ts';
import { useLater } from './lib/use-later.ts';
import { pattern } from './routes.ts';
import { Button } from './ui/button.tsx';
import { ErrorBoundary, Failed } from './ui/error-boundary.tsx';
import { NextTry } from './ui/next-try.tsx';
import { Notice } from './ui/notice.tsx';

// Loaded on demand: signed-out users do not need these.
export const Frame = loadable(() => import('./frame/frame.tsx'));
const ChangePasswordPage = loadable(() => import('./features/auth/change-password-page.tsx'));
const SetUpFactorPage = loadable(() => import('./features/account/set-up-factor-page.tsx'));
const ContactPage = loadable(() => import('./features/contact/contact-page.tsx'));
const ForgotPasswordPage = loadable(() => import('./features/auth/forgot-password-page.tsx'));
const ConfirmEmailPage = loadable(() => import('./features/auth/confirm-email-page.tsx'));
const UnsubscribePage = loadable(() => import('./features/auth/unsubscribe-page.tsx'));
const SharedReportPage = loadable(() => import('./features/progress/shared-report-page.tsx'));
const AccessibilityPage = loadable(() => import('./features/help/accessibility-page.tsx'));
const SetupPage = loadable(() => import('./features/setup/setup-page.tsx'));
const SingleSignOnPage = loadable(() => import('./features/auth/single-sign-on-page.tsx'));
const AcceptPage = loadable(() => import('./features/auth/accept-page.tsx'));

/** Pages that do not depend on who is signed in. */
const openPages = new Map([
  [pattern('setup'), SetupPage],
  [pattern('singleSignOn'), SingleSignOnPage],
  [pattern('contact'), ContactPage],
  [pattern('forgotPassword'), ForgotPasswordPage],
  [pattern('accept'), AcceptPage],
  [pattern('confirmEmail'), ConfirmEmailPage],
  [pattern('unsubscribe'), UnsubscribePage],
  [pattern('sharedReport'), SharedReportPage],
  [pattern('accessibility'), AccessibilityPage],
]);

export function App() {
  return (
    <ErrorBoundary fallback={(retry) => <FailedPage onRetry={retry} />}>
      <Content />
    </ErrorBoundary>
  );
}

function Content() {
  const { state, account, mustSetUpFactor } = useSession();
  const isShellShown = useLater();
  const [location] = useLocation();
  const OpenPage = openPages.get(location);
  if (OpenPage !== undefined)
    return (
      <>
        <Header />
        <Suspense fallback={null}>
          <OpenPage />
        </Suspense>
      </>
    );
  if (state === 'starting') return <Shell />;
  if (state === 'unreachable') return <Unreachable />;
  if (account === undefined) return <SignInPage />;
  if (account.must_change_password || mustSetUpFactor)
    return (
      <>
        <Header />
        <Suspense fallback={null}>
          {account.must_change_password ? <ChangePasswordPage /> : <SetUpFactorPage />}
        </Suspense>
      </>
    );
  return <Suspense fallback={<Shell />}>{isShellShown ? <Frame /> : <Shell />}</Suspense>;
}

/** The boxes of the sidebar and the timer while the first page loads; the same as in index.html. */
const Shell = () => (
  <div className="shell" aria-hidden="true">
    <div>
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
    <i />
  </div>
);

const FailedPage = ({ onRetry }: { onRetry: () => void }) => (
  <>
    <Header />
    <main className="alone">
      <Failed onRetry={onRetry} />
    </main>
  </>
);

function Unreachable() {
  const t = useTexts(commonMessages);
  const nextTry = useNextTry();
  return (
    <>
      <Header />
      <main className="alone">
        <h1>{t('unreachable')}</h1>
        {nextTry === undefined ? (
          <Notice kind="error">{t('network')}</Notice>
        ) : (
          <p>
            <NextTry at={nextTry} />
          </p>
        )}
        <Button look="primary" onPress={() => void resume()}>
          {t('retry')}
        </Button>
      </main>
    </>
  );
}
