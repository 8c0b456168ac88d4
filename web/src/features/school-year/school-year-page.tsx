import { CalendarPlus, FileUp, Plus } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { CalendarImport } from './calendar-import.tsx';
import { EffectCard, SavedCard } from './effect-card.tsx';
import { EntryForm } from './entry-form.tsx';
import { EntryList } from './entry-list.tsx';
import { importMessages } from './import-messages.ts';
import { schoolYearMessages } from './messages.ts';
import styles from './school-year.module.css';
import { type Draft, type Entry, type SavedDays, type Term, useEntries, useTerms } from './school-year-queries.ts';
import { TermDialog } from './term-dialog.tsx';
import { datesOfYear, daysOf, overlaps, useSchoolWeekdays, yearOf } from './year.ts';
import { YearView } from './year-view.tsx';

/** Terms, holidays and make-up days of a school year. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SchoolYearPage() {
  const t = useTexts(schoolYearMessages);
  const tImport = useTexts(importMessages);
  const isLimited = useIsLimited();
  const today = useOwnFormats().isoDay(Date.now());
  const { filter, change } = useUrlFilter({ year: String(yearOf(today)) });
  const [termInForm, setTerm] = useState<Term | 'new'>();
  const [added, setAdded] = useState<Partial<Entry>>();
  const [saved, setSaved] = useState<SavedDays>();
  const [isImporting, setImporting] = useState(false);
  const terms = useTerms();
  const entries = useEntries();
  const weekdays = useSchoolWeekdays();
  const year = datesOfYear(Number(filter.year) || yearOf(today));
  const inYear = <Item extends { from: string; to: string }>(items: readonly Item[] | undefined = []) =>
    items.filter((item) => overlaps(item, year));
  const isLoaded = terms.data !== undefined && entries.data !== undefined;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Select
            label={t('year')}
            isLabelHidden
            value={filter.year}
            onChange={(chosen) => change({ year: chosen })}
            options={yearsOf(today, [...(terms.data ?? []), ...(entries.data ?? [])])}
          />
          {!isLimited && (
            <Button icon={<Plus size={18} />} onPress={() => setTerm('new')}>
              {t('add_term')}
            </Button>
          )}
          <Button icon={<FileUp size={18} />} onPress={() => setImporting(true)}>
            {tImport('open')}
          </Button>
          <Button icon={<CalendarPlus size={18} />} onPress={() => setAdded({})}>
            {t('add_days')}
          </Button>
        </>
      }
    >
      <Loading of={[terms, entries]} lines={8} />
      {isLoaded && (
        <div className="stack">
          <YearView
            year={year}
            terms={inYear(terms.data)}
            allTerms={terms.data}
            days={daysOf(year, terms.data, inYear(entries.data), weekdays)}
            today={today}
            onTerm={setTerm}
            onDaysOff={setAdded}
          />
          {isImporting && <CalendarImport onClose={() => setImporting(false)} onSaved={setSaved} />}
          <Entries
            key={filter.year}
            {...{ today, added, saved }}
            onSaved={setSaved}
            terms={inYear(terms.data)}
            entries={inYear(entries.data)}
            onAdded={() => setAdded(undefined)}
          />
        </div>
      )}
      {termInForm !== undefined && (
        <TermDialog term={termInForm === 'new' ? undefined : termInForm} onClose={() => setTerm(undefined)} />
      )}
    </Page>
  );
}

/** From the first year with anything to the one after the last. */
function yearsOf(today: string, items: readonly { from: string; to: string }[]) {
  const years = [yearOf(today), ...items.flatMap(({ from, to }) => [yearOf(from), yearOf(to)])];
  const [first, last] = [Math.min(...years), Math.max(...years) + 1];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const year = last - index;
    return [String(year), `${year}/${String(year + 1).slice(2)}`] as const;
  });
}

type EntriesProps = {
  terms: readonly Term[];
  entries: readonly Entry[];
  today: string;
  /** The one in the form of a new one. */
  added: Partial<Entry> | undefined;
  onAdded: () => void;
  saved: SavedDays | undefined;
  onSaved: (saved: SavedDays) => void;
};

function Entries({ terms, entries, today, added, onAdded, saved, onSaved }: EntriesProps) {
  const t = useTexts(schoolYearMessages);
  const now = terms.find(({ from, to }) => from <= today && today <= to);
  const [chosen, setChosen] = useState(String(now?.id ?? ''));
  const [editing, setEditing] = useState<number>();
  const [draft, setDraft] = useState<Draft>();
  const term = terms.find(({ id }) => String(id) === chosen);
  const of = (dates: Term) => entries.filter((entry) => overlaps(entry, dates));
  const shown = term === undefined ? entries : of(term);
  return (
    <div className={cx((draft !== undefined || saved !== undefined) && styles.beside)}>
      <Card
        title={t('list')}
        isFlush
        actions={
          terms.length > 0 && (
            <ViewSwitch
              label={t('shown')}
              options={[
                ...terms.map((known) => {
                  const text = t('of_term', { name: known.name, count: of(known).length });
                  return [String(known.id), text] as const;
                }),
                ['', t('all', { count: entries.length })],
              ]}
              value={term === undefined ? '' : chosen}
              onChange={setChosen}
            />
          )
        }
      >
        {added !== undefined && (
          <EntryForm key={`${added.from}`} entry={added} onClose={onAdded} onDraft={setDraft} onSaved={onSaved} />
        )}
        {shown.length > 0 ? (
          <EntryList entries={shown} editing={editing} onEdit={setEditing} onDraft={setDraft} onSaved={onSaved} />
        ) : (
          <Empty>
            <p>{t('none')}</p>
          </Empty>
        )}
        <p className={styles.foot}>{t('counted')}</p>
      </Card>
      {(draft !== undefined || saved !== undefined) && (
        <div className="stack">
          {draft !== undefined && <EffectCard draft={draft} />}
          {saved !== undefined && <SavedCard saved={saved} />}
        </div>
      )}
    </div>
  );
}
