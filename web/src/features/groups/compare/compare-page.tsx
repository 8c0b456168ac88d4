import { Download, Equal, TrendingDown, TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { collatorOf } from '../../../lib/collator.ts';
import { useFormats } from '../../../lib/format.ts';
import { useMarks } from '../../../lib/marks.ts';
import { useSchoolYear } from '../../../lib/school-year.ts';
import { languageTags, useSettings } from '../../../lib/settings.ts';
import { useTexts } from '../../../lib/texts.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { DayField } from '../../../ui/day-field.tsx';
import { Select } from '../../../ui/field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Card, Empty } from '../../../ui/page.tsx';
import { Headline } from '../../../ui/stats.tsx';
import { Write } from '../../progress/write.tsx';
import type { Period, Term } from '../../statistics/period.ts';
import { type ClassPeriod, daysOf, earlier, isDate, periodDays, plus, useClassPeriod } from '../class-period.ts';
import {
  type Comparison,
  exportComparison,
  meanWeeklyGoal,
  useClassComparison,
  useClassStatistics,
} from '../class-queries.ts';
import { PeriodTools } from '../period-tools.tsx';
import { UnequalDays } from '../unequal-days.tsx';
import styles from './compare.module.css';
import { compareMessages } from './compare-messages.ts';
import { byWeekday, changeOf, isChange, type Pair, pairsOf } from './comparison.ts';
import { Dumbbells } from './dumbbells.tsx';
import { MovedProjects } from './moved-projects.tsx';
import { Weekdays } from './weekdays.tsx';

/** As many earlier periods are offered; others by their first day. */
const maxOffered = { week: 12, month: 6, term: 4 } as const satisfies Record<ClassPeriod, number>;

type Props = {
  id: number;
  kind: ClassPeriod;
  on: string;
  /** The first day of the other period; empty for the period before. */
  beside: string;
  change: (changed: { period?: string; on?: string; beside?: string }) => void;
};

/** The hours of each member in a period beside those in another one of as many days. */
export function ComparePage({ id, kind, on, beside, change }: Props) {
  const t = useTexts(compareMessages);
  const { period, before, term } = useClassPeriod(kind, on);
  const { terms } = useSchoolYear();
  const termOf = term && terms.find(({ from }) => from === beside);
  const other = termOf ?? (isDate(beside) ? { from: beside, to: plus(beside, daysOf(period) - 1) } : before);
  const read = useClassComparison(id, period, other);
  const { data, isPlaceholderData } = read;
  const ofWeek = useClassStatistics(kind === 'week' ? id : undefined, period).data;
  const download = useAction(() => exportComparison(id, period, other));
  const tools = (
    <div className={`${styles.tools} no-print`}>
      <PeriodTools kind={kind} on={on} change={change} />
      <Beside
        kind={kind}
        period={period}
        other={other}
        terms={term === undefined ? undefined : terms.filter(({ to }) => to < term.from).toReversed()}
        isBefore={beside === ''}
        onChange={(day) => change({ beside: day })}
      />
      <Button
        look="quiet"
        icon={<Download size={18} strokeWidth={1.75} />}
        isPending={download.isRunning}
        onPress={() => void download.run()}
      >
        {t('export')}
      </Button>
    </div>
  );
  if (data === undefined)
    return (
      <>
        {tools}
        <Loading of={read} lines={8} />
      </>
    );
  const pairs = pairsOf(data);
  return (
    <>
      {tools}
      {pairs.length === 0 ? (
        <Card>
          <Empty>{t('nobody')}</Empty>
        </Card>
      ) : (
        <div className={styles.grid} aria-busy={isPlaceholderData}>
          <Summary pairs={pairs} comparison={data} />
          <Dumbbells pairs={pairs} period={period} other={other} goal={ofWeek && meanWeeklyGoal(ofWeek)} />
          <MovedProjects projects={data.by_project} names={[period, other]} />
          <Weekdays {...byWeekday(data)} names={[period, other]} />
        </div>
      )}
    </>
  );
}

type BesideProps = {
  kind: ClassPeriod;
  period: Period;
  other: Period;
  /** Those before, if the period is a term. */
  terms: readonly Term[] | undefined;
  isBefore: boolean;
  onChange: (first: string) => void;
};

function Beside({ kind, period, other, terms = [], isBefore, onChange }: BesideProps) {
  const t = useTexts(compareMessages);
  const formats = useFormats('UTC'); // dates have no time
  const offered: readonly (Period & { name?: string })[] =
    terms.length > 0
      ? terms.slice(0, maxOffered[kind])
      : Array.from({ length: maxOffered[kind] }, (_, index) => earlier(period, periodDays[kind] * (index + 1)));
  const isOffered = isBefore || offered.some(({ from }) => from === other.from);
  const [isFree, setFree] = useState(!isOffered);
  const options = offered.map(({ from, to, name }, index) => {
    const dates = formats.dayRange(from, to);
    if (name !== undefined) return [index === 0 ? '' : from, t('of_term', { name, dates })] as const;
    return [index === 0 ? '' : from, index === 0 ? t('same_days', { dates }) : dates] as const;
  });
  return (
    <>
      <span className={styles.beside} aria-hidden="true">
        {t('with')}
      </span>
      <Select
        label={t('beside')}
        isLabelHidden
        value={isFree ? 'other' : isBefore || other.from === offered[0]?.from ? '' : other.from}
        onChange={(value) => {
          setFree(value === 'other');
          if (value !== 'other') onChange(value);
        }}
        options={[...options, ['other', t('other')] as const]}
      />
      {isFree && <DayField label={t('from')} value={other.from} onChange={onChange} />}
    </>
  );
}

/** How many students are named. */
const maxNamed = 2;

/** What changed, in a sentence, and whom to write to. */
function Summary({ pairs, comparison }: { pairs: readonly Pair[]; comparison: Comparison }) {
  const { other, is_running: isRunning } = comparison;
  const t = useTexts(compareMessages);
  const marks = useMarks();
  const { locale } = useSettings();
  const formats = useFormats('UTC');
  const { compare } = collatorOf(locale);
  const by = pairs.toSorted((a, b) => changeOf(b) - changeOf(a) || compare(a.name, b.name));
  const gained = by.filter((pair) => changeOf(pair) > 0 && isChange(changeOf(pair)));
  const lost = by.filter((pair) => changeOf(pair) < 0 && isChange(changeOf(pair))).toReversed();
  const idle = by.filter(({ now, before }) => now === 0 && before === 0);
  const total = comparison.total.change;
  const dates = formats.dayRange(other.from, other.to);
  const list = new Intl.ListFormat(languageTags[locale]);
  const names = (some: readonly Pair[]) => list.format(some.slice(0, maxNamed).map(({ name }) => name));
  const most = lost[0];
  const key = !isChange(total) ? 'same' : total > 0 ? 'more' : 'less';
  const Icon = { same: Equal, more: TrendingUp, less: TrendingDown }[key];
  const parts = [
    isRunning ? t('so_far') : '',
    gained.length > 0 ? t('gained', { names: names(gained), count: Math.min(maxNamed, gained.length) }) : '',
    most === undefined ? '' : t('lost', { name: most.name, hours: formats.hours(-changeOf(most)) }),
    idle.length === 0
      ? ''
      : idle.length <= maxNamed
        ? t('idle', { names: names(idle), count: idle.length })
        : t('idle_many', { count: idle.length }),
  ];
  return (
    <Headline
      Icon={Icon}
      look={({ same: 'plain', more: 'good', less: 'warn' } as const)[key]}
      text={t(key, { hours: formats.hours(Math.abs(total)), dates })}
      action={lost.length > 0 && <Write ids={lost.map(({ id }) => id)} text="write_lost" />}
      className={styles.whole}
    >
      <p>{marks.sentences(parts)}</p>
      <UnequalDays {...comparison} />
    </Headline>
  );
}
