import { CalendarDays } from 'lucide-react';
import { useFormats } from '../lib/format.ts';
import { useOwnFormats } from '../lib/own-formats.ts';
import { useTexts } from '../lib/texts.ts';
import { parseDay } from '../lib/written-dates.ts';
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
