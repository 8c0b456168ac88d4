import { ChevronLeft, ChevronRight, Plus } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Deferred, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import styles from './calendar.module.css';
import { CalendarGrid } from './calendar-grid.tsx';
import { recordMessages } from './messages.ts';
import { Records } from './records.tsx';
import { calendarViews, useCalendar } from './use-calendar.ts';

/** Records as a day, a week or a list. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function RecordsPage() {
  const t = useTexts(recordMessages);
  const marks = useMarks();
  const plain = useFormats('UTC'); // dates have no time
  const { role } = useAccount();
  const calendar = useCalendar();
  const { view, dates, change } = calendar;
  const isGrid = view !== 'list';
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const shown = isGrid ? (first === last ? plain.longDay(first) : plain.longDates(first, last)) : t('title');
  const add = () => change({ add: '' });
  useShortcuts(role === 'user' && isGrid ? { [shortcuts.record]: add } : {});
  return (
    <Page
      title={t('title')}
      heading={
        <>
          {isGrid && <span className="visually-hidden">{`${t('title')}${marks.comma}`}</span>}
          {shown}
        </>
      }
      beside={
        isGrid ? (
          <div className={styles.turn}>
            <Button
              aria-label={t(view === 'day' ? 'day_before' : 'week_before')}
              icon={<ChevronLeft size={18} />}
              onPress={() => calendar.turn(-1)}
            />
            <Button onPress={calendar.goToday}>{t('today')}</Button>
            <Button
              aria-label={t(view === 'day' ? 'day_after' : 'week_after')}
              icon={<ChevronRight size={18} />}
              onPress={() => calendar.turn(1)}
            />
          </div>
        ) : undefined
      }
      actions={
        <div className={styles.head}>
          <ViewSwitch
            label={t('view')}
            options={calendarViews.map((name) => [name, t(name)])}
            value={view}
            onChange={(name) => change({ view: name, from: undefined, to: undefined, search: undefined })}
          />
          {role === 'user' && (
            <Button look="primary" icon={<Plus size={18} />} onPress={add}>
              <span className={styles.addText}>{t('add')}</span>
            </Button>
          )}
        </div>
      }
    >
      <Deferred key={isGrid ? 'grid' : 'list'}>{isGrid ? <CalendarGrid calendar={calendar} /> : <Records />}</Deferred>
    </Page>
  );
}
