import { Pencil } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { schoolYearMessages } from './messages.ts';
import type { Term } from './school-year-queries.ts';
import { daysLeft, lengthOf, openDays, type Section, sectionsOf, weekIn, weeksOf, type YearDay } from './year.ts';
import { YearChart, YearLegend } from './year-chart.tsx';
import styles from './year-view.module.css';

type Dates = { from: string; to: string };
type Props = {
  year: Dates;
  terms: readonly Term[];
  /** Also of other years. */
  allTerms: readonly Term[];
  days: readonly YearDay[];
  today: string;
  onTerm: (term: Term) => void;
  onDaysOff: (dates: Dates) => void;
};

/** The terms of a school year above its days. */
export function YearView({ year, terms, allTerms, days, today, onTerm, onDaysOff }: Props) {
  const t = useTexts(schoolYearMessages);
  const isLimited = useIsLimited();
  const sections = sectionsOf(year, terms, days);
  return (
    <Card>
      {terms.length === 0 ? (
        <p className={styles.none}>{t('no_terms')}</p>
      ) : (
        <ul
          className={styles.sections}
          style={{ gridTemplateColumns: sections.map((section) => `minmax(0, ${lengthOf(section)}fr)`).join(' ') }}
        >
          {sections.map((section) => (
            <li key={section.from}>
              {section.term === undefined ? (
                <Gap
                  section={section}
                  onDaysOff={
                    isLimited || section.isOff ? undefined : () => onDaysOff(openDays(allTerms, year, section))
                  }
                />
              ) : (
                <TermOf
                  term={section.term}
                  days={days}
                  today={today}
                  onEdit={isLimited ? undefined : () => section.term !== undefined && onTerm(section.term)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <YearChart year={year} days={days} today={today} />
      <YearLegend today={today >= year.from && today <= year.to ? today : undefined} />
    </Card>
  );
}

type TermProps = { term: Term; days: readonly YearDay[]; today: string; onEdit: (() => void) | undefined };

function TermOf({ term, days, today, onEdit }: TermProps) {
  const t = useTexts(schoolYearMessages);
  const formats = useFormats('UTC'); // days have no time
  const isNow = term.from <= today && today <= term.to;
  const passed = today < term.from ? 0 : Math.min(1, lengthOf({ from: term.from, to: today }) / lengthOf(term));
  const count = weeksOf(term);
  return (
    <>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${passed * 100}%` }} />
      </span>
      <p className={styles.term}>
        <b>{term.name}</b>
        {onEdit !== undefined && (
          <Button
            look="quiet"
            isSmall
            aria-label={t('edit_term', { name: term.name })}
            icon={<Pencil size={14} />}
            onPress={onEdit}
          />
        )}
        <span>{formats.dayRange(term.from, term.to)}</span>
      </p>
      <p>
        {isNow ? t('week_of', { week: Math.floor(weekIn(term, today)), weeks: count }) : t('weeks', { count })}
        {' · '}
        {isNow
          ? t('left', { left: daysLeft(days, term, today), days: term.school_days })
          : t('school_days', { count: term.school_days })}
      </p>
    </>
  );
}

function Gap({ section, onDaysOff }: { section: Section; onDaysOff: (() => void) | undefined }) {
  const t = useTexts(schoolYearMessages);
  if (section.isOff && section.name === undefined) return null;
  return (
    <div className={cx(styles.gap)}>
      <p>{section.name ?? t('not_off')}</p>
      {onDaysOff !== undefined && (
        <button type="button" className={styles.link} onClick={onDaysOff}>
          {t('make_off')}
        </button>
      )}
    </div>
  );
}
