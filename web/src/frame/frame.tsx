import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { SignInDialog } from '../features/auth/sign-in-dialog.tsx';
import { Connection } from '../features/outbox/connection.tsx';
import { LeaveDialog } from '../features/outbox/leave-dialog.tsx';
import { Focus, TimerBar } from '../features/timer/timer-bar.tsx';
import { api, signOut } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { followEvents } from '../lib/events.ts';
import { loadable, optional } from '../lib/loadable.tsx';
import { commonMessages } from '../lib/messages.ts';
import { outbox, watchOutbox } from '../lib/outbox/outbox.ts';
import { queryClient } from '../lib/query.ts';
import { useAccount } from '../lib/session.ts';
import { type Locale, settings } from '../lib/settings.ts';
import { useTexts } from '../lib/texts.ts';
import { startWorker } from '../lib/worker.ts';
import { href, pattern } from '../routes.ts';
import { ErrorBoundary, Failed } from '../ui/error-boundary.tsx';
import { Skeleton } from '../ui/page.tsx';
import { Toasts } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Commands } from './commands.tsx';
import styles from './frame.module.css';
import { Brand } from './header.tsx';
import { frameMessages } from './messages.ts';
import { Navigation } from './navigation.tsx';
import { NewVersion } from './new-version.tsx';
import { NoPage } from './no-page.tsx';
import { ZoneNotice } from './zone-notice.tsx';

const TodayPage = loadable(() => import('../features/today/today-page.tsx'));
const ProjectsPage = loadable(() => import('../features/projects/projects-page.tsx'));
const ProjectPage = loadable(() => import('../features/projects/project-page.tsx'));
const EditProjectPage = loadable(() => import('../features/projects/edit-project-page.tsx'));
const ImportPage = loadable(() => import('../features/session-import/import-page.tsx'));
const RecordsPage = loadable(() => import('../features/study-sessions/records-page.tsx'));
const StatisticsPage = loadable(() => import('../features/statistics/statistics-page.tsx'));
const AwardsPage = loadable(() => import('../features/achievements/awards-page.tsx'));
const AwardMoment = optional(() => import('../features/achievements/award-moment.tsx'));
const HelpPage = loadable(() => import('../features/help/help-page.tsx'));
const PrivacyPage = loadable(() => import('../features/account/privacy-page.tsx'));
const MePage = loadable(() => import('../features/account/me-page.tsx'));
const AdminPages = loadable(() => import('./admin-pages.tsx'));
if (location.pathname === pattern('today')) void TodayPage.load().catch(() => undefined); // started by main.tsx

/** Preloaded when idle, so that the next page opens at once, even offline. */
const preloaded = [ProjectsPage, ProjectPage, RecordsPage, StatisticsPage, TodayPage, Focus];

/** The pages for signed-in users, with their navigation. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Frame() {
  const account = useAccount();
  const t = useTexts(frameMessages);
  const common = useTexts(commonMessages);
  useEffect(() => {
    if (account.locale !== null) settings.set({ locale: account.locale });
  }, [account.locale]);
  const [path, navigate] = useLocation();
  const isStudent = account.role === 'user';
  const [isLeaving, setLeaving] = useState(false);
  const [isSettled, setSettled] = useState(false); // the first page has been loaded
  useEffect(watchOutbox, []);
  useEffect(followEvents, []);
  useEffect(() => {
    startWorker();
    const soon = setTimeout(() => setSettled(true), 1500);
    const later = setTimeout(() => void Promise.all(preloaded.map(({ load }) => load())).catch(() => undefined), 5000);
    return () => {
      clearTimeout(soon);
      clearTimeout(later);
    };
  }, []);

  async function leave(): Promise<void> {
    outbox.discardAll();
    await signOut();
    queryClient.clear();
    navigate('/');
  }

  function askToLeave(): void {
    if (outbox.all().length > 0) setLeaving(true);
    else void leave();
  }
  const keepLocale = (locale: Locale) => void api.put('/api/auth/me', { body: { locale } }).catch(() => undefined);

  return (
    <QueryClientProvider client={queryClient}>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <div className={styles.app}>
        <div className={styles.banners}>
          <NewVersion />
          <Connection />
        </div>
        <header className={cx(styles.side, 'no-print')}>
          <Brand />
          <Commands role={account.role} onLocale={keepLocale} onSignOut={askToLeave} />
          <Navigation role={account.role} />
          <AccountMenu onLocale={keepLocale} onSignOut={askToLeave} />
        </header>
        <div className={cx(styles.body, isStudent && styles.withTimer)}>
          {isStudent && <TimerBar />}
          <main id="content" tabIndex={-1} className={styles.content}>
            <ZoneNotice />
            {/* The timer and the navigation remain if a page cannot be loaded. */}
            <ErrorBoundary place={path} fallback={(retry) => <Failed onRetry={retry} />}>
              <Suspense fallback={<Skeleton label={common('loading')} />}>
                <Switch>
                  <Route path={pattern('today')}>{isStudent ? <TodayPage /> : <AdminPages />}</Route>
                  <Route path={pattern('signIn')}>
                    <Redirect to={href('today')} replace />
                  </Route>
                  <Route path={pattern('projects')}>
                    <ProjectsPage />
                  </Route>
                  <Route path={pattern('newProject')}>
                    <EditProjectPage />
                  </Route>
                  <Route<{ id: string }> path={pattern('editProject')}>
                    {({ id }) => <EditProjectPage id={Number(id)} />}
                  </Route>
                  <Route<{ id: string }> path={pattern('project')}>
                    {({ id }) => <ProjectPage key={id} id={Number(id)} />}
                  </Route>
                  <Route path={pattern('importRecords')}>
                    <ImportPage />
                  </Route>
                  <Route path={pattern('records')}>
                    <RecordsPage />
                  </Route>
                  <Route path={pattern('statistics')}>
                    <StatisticsPage />
                  </Route>
                  <Route path={pattern('awards')}>
                    <AwardsPage />
                  </Route>
                  <Route path={pattern('trash')}>
                    <Redirect to={`${href('projects')}?state=deleted`} replace />
                  </Route>
                  <Route path={pattern('me')}>
                    <MePage part="you" />
                  </Route>
                  <Route<{ part: string }> path={pattern('mySettings')}>{({ part }) => <MePage part={part} />}</Route>
                  <Route path={pattern('help')}>
                    <HelpPage />
                  </Route>
                  <Route path={pattern('privacy')}>
                    <PrivacyPage />
                  </Route>
                  {!isStudent && (
                    <Route path="/admin/*">
                      <AdminPages />
                    </Route>
                  )}
                  <Route>
                    <NoPage />
                  </Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </main>
        </div>
      </div>
      <Toasts />
      {isStudent && isSettled && <AwardMoment />}
      {isLeaving && <LeaveDialog onStay={() => setLeaving(false)} onLeave={() => void leave()} />}
      <SignInDialog />
    </QueryClientProvider>
  );
}
