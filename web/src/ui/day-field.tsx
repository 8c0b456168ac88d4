import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../lib/format.ts';
import { useOwnFormats } from '../lib/own-formats.ts';
import { useTexts } from '../lib/texts.ts';
import { type DateRange, parseDay, parseRange } from '../lib/written-dates.ts';
import { dateMessages } from './date-messages.ts';
import styles from './month.module.css';
import { Month } from './month.tsx';
import { Popup } from './popup.tsx';
import { TypedField } from './typed-field.tsx';

type Props = {
  label: string;
  /** 2026-11-20, or empty. */
  value: string;
  onChange: (day: string) => void;
  error?: string | undefined;
  /** The date may be left empty. */
  isOptional?: boolean;
};

/** A date in the language of the application: typed, or chosen in a month. */
export function DayField({ label, value, onChange, error, isOptional = false }: Props) {
  const t = useTexts(dateMessages);
  const formats = useFormats('UTC'); // a date has no time
  const today = useOwnFormats().isoDay(Date.now());
  const parse = (text: string) => (isOptional && text.trim() === '' ? '' : parseDay(text, today));
  return (
    <div className={styles.field}>
      <TypedField
        label={label}
        shown={value === '' ? '' : formats.fullDay(value)}
        parse={parse}
        onChange={onChange}
        bad={t('bad_day')}
        error={error}
        maxLength={30}
        after={
          <Popup label={t('choose')} trigger={{ 'aria-label': t('choose'), icon: <CalendarDays size={18} /> }}>
            {(close) => (
              <Month
                value={value}
                today={today}
                isOptional={isOptional}
                onChoose={(day) => {
                  onChange(day);
                  close();
                }}
              />
            )}
          </Popup>
        }
      />
    </div>
  );
}

type RangeProps = {
  label: string;
  /** Both are empty without a date. */
  value: DateRange;
  onChange: (range: DateRange) => void;
  error?: string | undefined;
};

/** Two dates, or one for a single day, in the language of the application: typed, or chosen in a month. */
export function RangeField({ label, value, onChange, error }: RangeProps) {
  const t = useTexts(dateMessages);
  const formats = useFormats('UTC'); // a date has no time
  const today = useOwnFormats().isoDay(Date.now());
  const { from, to } = value;
  const parse = (text: string) => {
    const range = parseRange(text, today);
    return range && `${range.from}/${range.to}`;
  };
  return (
    <div className={styles.field}>
      <TypedField
        label={label}
        shown={from === '' ? '' : [...new Set([from, to])].map(formats.date).join(' – ')}
        parse={parse}
        onChange={(text) => onChange({ from: text.slice(0, 10), to: text.slice(11) })}
        bad={t('bad_range')}
        error={error}
        maxLength={60}
        after={
          <Popup
            label={t('choose_range')}
            trigger={{ 'aria-label': t('choose_range'), icon: <CalendarDays size={18} /> }}
          >
            {(close) => <RangeMonth value={value} today={today} onChange={onChange} onEnd={close} />}
          </Popup>
        }
      />
    </div>
  );
}

type MonthProps = { value: DateRange; today: string; onChange: RangeProps['onChange']; onEnd: () => void };

/** The first press chooses one day, the second one the other end. The line below is never empty, so that no day moves. */
function RangeMonth({ value: { from, to }, today, onChange, onEnd }: MonthProps) {
  const t = useTexts(dateMessages);
  const [end, setEnd] = useState<string>();
  function choose(day: string): void {
    const [first = day, last = day] = [end ?? day, day].sort();
    onChange({ from: first, to: last });
    if (end === undefined) setEnd(day);
    else onEnd();
  }
  return (
    <>
      <Month value={from} until={to} today={today} isOptional={false} onChoose={choose} />
      <p className="note" role="status">
        {end === undefined ? '\u00a0' : t('other_end')}
      </p>
    </>
  );
}
