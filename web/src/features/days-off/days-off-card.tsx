import { CalendarPlus, Check, Pencil } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useSchoolYear } from '../../lib/school-year.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import { lengthOf } from '../school-year/year.ts';
import styles from './days-off.module.css';
import { DaysOffForm } from './days-off-form.tsx';
import { type DaysOff, useDaysOff } from './days-off-queries.ts';
import { daysOffMessages } from './messages.ts';

/** Days off of a student, for administrators; without one, the user's own, of which a year has a number. */
export function DaysOffCard({ user }: { user?: number }) {
  const t = useTexts(daysOffMessages);
  const today = useOwnFormats().isoDay(Date.now());
  const read = useDaysOff(user);
  const { data } = read;
  const [editing, setEditing] = useState<number | 'new'>();
  const close = () => setEditing(undefined);
  const isOwn = user === undefined;
  const year = data?.years.find((known) => String(known.year) === today.slice(0, 4));
  return (
    <Card
      title={t('title')}
      context={t(isOwn ? 'about' : 'about_student')}
      actions={
        <Button icon={<CalendarPlus size={18} />} onPress={() => setEditing('new')}>
          {t(isOwn ? 'add' : 'excuse')}
        </Button>
      }
    >
      <Loading of={read} />
      {isOwn && year !== undefined && <Budget {...year} />}
      {editing === 'new' && <DaysOffForm user={user} onClose={close} />}
      {data?.days_off.length === 0 && editing === undefined && <p className={styles.hint}>{t('none')}</p>}
      <ul className={styles.entries}>
        {data?.days_off.map((entry) => (
          <li key={entry.id}>
            {entry.id === editing ? (
              <DaysOffForm user={user} entry={entry} onClose={close} />
            ) : (
              <Row {...{ entry, today, isOwn }} onEdit={isOwn && !entry.own ? undefined : () => setEditing(entry.id)} />
            )}
          </li>
        ))}
      </ul>
      {isOwn && <Holidays today={today} />}
    </Card>
  );
}

/** Days of the school cost nothing: the current or next ones are named. */
function Holidays({ today }: { today: string }) {
  const t = useTexts(daysOffMessages);
  const datesOf = useDates(today);
  const next = useSchoolYear().days.find(({ kind, to }) => kind === 'off' && to >= today);
  return (
    <p className={styles.hint}>
      {next === undefined ? t('holidays') : t('holidays_next', { dates: datesOf(next), name: next.name })}
    </p>
  );
}

/** The year is named unless it is that of today. */
function useDates(today: string) {
  const formats = useFormats('UTC'); // days have no time
  return ({ from, to }: Range) =>
    from.slice(0, 4) === today.slice(0, 4) ? formats.dayRange(from, to) : formats.dates(from, to);
}
type Range = { from: string; to: string };

type BudgetProps = { taken: number; planned: number; left: number };

function Budget({ taken, planned, left }: BudgetProps) {
  const t = useTexts(daysOffMessages);
  const count = taken + planned + left;
  return (
    <div className={styles.budget}>
      <p>{t('left', { left, count })}</p>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${(100 * taken) / count}%` }} />
        <span style={{ width: `${(100 * planned) / count}%` }} />
      </span>
      <p className={cx('row', styles.legend)}>
        <span className="tab" />
        {t('taken', { count: taken })}
        <span className="tab" />
        {t('planned', { count: planned })}
      </p>
    </div>
  );
}

type RowProps = { entry: DaysOff; today: string; isOwn: boolean; onEdit: (() => void) | undefined };

function Row({ entry, today, isOwn, onEdit }: RowProps) {
  const t = useTexts(daysOffMessages);
  const { from, to, reason, own } = entry;
  const dates = useDates(today)(entry);
  const ahead = lengthOf({ from: today, to: from }) - 1;
  const isOver = to < today;
  const when = isOver ? t('over') : ahead <= 0 ? t('now') : t('ahead', { count: ahead });
  const by = own === isOwn ? undefined : t(own ? 'by_student' : 'by_school');
  return (
    <>
      <span>
        <b>{dates}</b>
        <small>{[reason, by].filter(Boolean).join(' · ')}</small>
      </span>
      {isOver ? (
        <Chip look="plain" Icon={Check}>
          {when}
        </Chip>
      ) : (
        <Chip look="planned">{when}</Chip>
      )}
      <span className={styles.days}>{t('count', { count: lengthOf(entry) })}</span>
      {onEdit === undefined ? (
        <span />
      ) : (
        <Button look="quiet" aria-label={t('edit', { dates })} icon={<Pencil size={16} />} onPress={onEdit} />
      )}
    </>
  );
}
