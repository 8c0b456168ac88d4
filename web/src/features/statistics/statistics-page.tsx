import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { weeklyGoal } from '../projects/own-target.ts';
import { useActiveProjects } from '../projects/project-queries.ts';
import { Days } from './days.tsx';
import { findingsOf } from './findings.ts';
import { FindingsCard } from './findings-card.tsx';
import { HourMap } from './hour-map.tsx';
import { IsOtherUser } from './how-counted.tsx';
import { Kpis } from './kpis.tsx';
import {
  type Period,
  type PeriodKind,
  periodBefore,
  periodKinds,
  periodOf,
  type Term,
  termAt,
  turned,
} from './period.ts';
import { periodMessages } from './period-messages.ts';
import { ProjectShares } from './project-shares.tsx';
import styles from './statistics.module.css';
import { type Statistics, usePeriodStatistics, usePersonalStatistics, useUser } from './statistics-queries.ts';
import { TagShares } from './tag-shares.tsx';
import { WeekStacks } from './week-stacks.tsx';

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The period in the URL. The service knows which day it is for the person. */
function usePeriod(known: string | undefined, terms: readonly Term[]) {
  const { timezone, day_start_hour, week_start } = useAccount();
  const [params, setParams] = useSearchParams();
  const kind = periodKinds.find((name) => name === params.get('period')) ?? 'term';
  const today = known ?? createDays(timezone, day_start_hour).dateOf(Date.parse(outbox.now()));
  const asked = params.get('on');
  const date = isDay(asked) && asked < today ? asked : today;
  function show(next: PeriodKind, on: string): void {
    setParams(
      (before) => {
        const changed = new URLSearchParams(before);
        changed.set('period', next);
        on < today ? changed.set('on', on) : changed.delete('on');
        return changed;
      },
      { replace: true },
    );
  }
  return { kind, date, today, period: periodOf(kind, date, today, week_start, terms), show };
}

/** A user's statistics of a period; administrators select the user in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StatisticsPage() {
  const t = useTexts(periodMessages);
  const { role, display_name: ownName } = useAccount();
  const formats = useFormats('UTC'); // dates have no time
  const [params] = useSearchParams();
  const requestedId = Number(params.get('user'));
  const userId = role === 'admin' && Number.isInteger(requestedId) && requestedId > 0 ? requestedId : undefined;
  const user = useUser(userId);
  const person = userId === undefined ? undefined : (user.data ?? 'unknown');
  const allTime = usePersonalStatistics(12, person);
  const { terms } = useSchoolYear(userId === undefined ? {} : { user_id: userId });
  const { kind, date, today, period, show } = usePeriod(allTime.data?.daily.at(-1)?.date, terms);
  const term = termAt(terms, date);
  const hasNext =
    kind === 'term' && term !== undefined
      ? turned(kind, date, 1, terms) <= today && turned(kind, date, 1, terms) !== date
      : period.to < today;
  const statistics = usePeriodStatistics(period, person, {
    isNeeded: allTime.data !== undefined,
    other: kind === 'all' ? undefined : periodBefore(kind, period, terms),
  });
  const dates = kind === 'all' ? t('all') : formats.dates(period.from, period.to);

  const turn = (by: 1 | -1) => (
    <Button
      aria-label={t(by > 0 ? 'next_period' : 'previous_period')}
      icon={by > 0 ? <ChevronRight size={18} /> : <ChevronLeft size={18} />}
      isDisabled={by > 0 && !hasNext}
      onPress={() => show(kind, turned(kind, date, by, terms))}
    />
  );
  const actions = (
    <>
      <ViewSwitch
        label={t('period')}
        options={periodKinds.map((known) => [known, known === 'term' && term !== undefined ? term.name : t(known)])}
        value={kind}
        onChange={(next) => show(next, date)}
      />
      {kind !== 'all' && (
        <div className={styles.turn}>
          {turn(-1)}
          <span role="status" className={styles.dates}>
            {dates}
          </span>
          {turn(1)}
        </div>
      )}
      <Button aria-label={t('print')} icon={<Printer size={18} />} onPress={() => window.print()} />
    </>
  );
  const name = userId === undefined ? ownName : user.data?.display_name;
  return (
    <Page
      title={user.data === undefined ? t('title') : t('title_of', { name: user.data.display_name })}
      actions={actions}
    >
      <p className={styles.printed}>{`${name ?? ''} · ${dates}`}</p>
      <Loading of={[...(userId === undefined ? [] : [user]), allTime, statistics]} lines={8} />
      {allTime.data?.total_sessions === 0 && (
        <Card>
          <Empty>
            <p>{t('first')}</p>
            <LinkButton href={href('records')} look="primary">
              {t('to_records')}
            </LinkButton>
          </Empty>
        </Card>
      )}
      {allTime.data !== undefined && statistics.data !== undefined && allTime.data.total_sessions > 0 && (
        <IsOtherUser value={userId !== undefined}>
          <Shown
            kind={kind}
            period={period}
            allTime={allTime.data}
            statistics={statistics.data}
            isOwn={userId === undefined}
            userId={userId}
          />
        </IsOtherUser>
      )}
    </Page>
  );
}

type ShownProps = {
  kind: PeriodKind;
  period: Period;
  allTime: Statistics;
  statistics: Statistics;
  isOwn: boolean;
  userId: number | undefined;
};

function Shown({ kind, period, allTime, statistics, isOwn, userId }: ShownProps) {
  const isAll = kind === 'all';
  const { data: projects = [] } = useActiveProjects();
  const goal = weeklyGoal(projects, useAccount());
  const findings = isAll ? [] : findingsOf(statistics, period);
  return (
    <div className={styles.period}>
      {isAll ? <Kpis statistics={allTime} /> : <Kpis statistics={statistics} period={period} />}
      <WeekStacks
        statistics={statistics}
        period={period}
        isDaily={kind === 'week'}
        goal={isOwn && goal > 0 ? goal : undefined}
        isOwn={isOwn}
      />
      <ProjectShares statistics={isAll ? allTime : statistics} isOwn={isOwn} />
      {!isAll && <TagShares statistics={statistics} />}
      <HourMap byHour={statistics.by_hour ?? []} isWide={findings.length === 0} />
      {findings.length > 0 && <FindingsCard findings={findings} isRunning={statistics.is_running === true} />}
      <div className={styles.whole}>
        <Days statistics={allTime} isOwn={isOwn} userId={userId} />
      </div>
    </div>
  );
}
