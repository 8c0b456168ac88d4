import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormats } from '../lib/format.ts';
import { useAccount } from '../lib/session.ts';
import { createDays } from '../lib/study-days.ts';
import { useTexts } from '../lib/texts.ts';
import { addDays } from '../lib/written-dates.ts';
import { Button } from './button.tsx';
import { dateMessages } from './date-messages.ts';
import styles from './month.module.css';

type Props = {
  value: string;
  /** The last day of several, of which `value` is the first. */
  until?: string;
  today: string;
  isOptional: boolean;
  onChoose: (day: string) => void;
};

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** The same day of another month, or its last one. */
function inMonth(date: string, months: number): string {
  const first = new Date(`${date.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() + months + 1, 0);
  const last = first.toISOString().slice(0, 10);
  const same = `${last.slice(0, 7)}${date.slice(7)}`;
  return same < last ? same : last;
}

/** The days of a month; arrow keys move by a day or a week, Page Up and Down by a month, Enter chooses. */
export function Month({ value, until = value, today, isOptional, onChoose }: Props) {
  const t = useTexts(dateMessages);
  const { week_start } = useAccount();
  const formats = useFormats('UTC'); // dates have no time
  const [at, setAt] = useState(value === '' ? today : value);
  const current = useRef<HTMLButtonElement>(null);
  const hasMoved = useRef(true);
  function follow(): void {
    if (hasMoved.current) current.current?.focus();
  }
  useEffect(follow, []); // when the panel around it is shown
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day, before the next key
  useLayoutEffect(follow, [at]);

  function move(day: string, isKey: boolean): void {
    hasMoved.current = isKey;
    setAt(day);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    move(step === undefined ? inMonth(at, months ?? 0) : addDays(at, step), true);
  }
  const { weekOf } = createDays('UTC', 0);
  const first = weekOf(`${at.slice(0, 7)}-01`, week_start)[0] ?? at;
  const weeks = [0, 1, 2, 3, 4, 5].map((week) => weekOf(addDays(first, 7 * week), week_start));
  const shown = weeks.filter((week) => week.some((day) => day.slice(0, 7) === at.slice(0, 7)));
  return (
    <div className={styles.month}>
      <div className={styles.head}>
        <Button
          look="quiet"
          isSmall
          aria-label={t('before')}
          icon={<ChevronLeft size={18} />}
          onPress={() => move(inMonth(at, -1), false)}
        />
        <strong aria-live="polite">{formats.monthAndYear(at)}</strong>
        <Button
          look="quiet"
          isSmall
          aria-label={t('after')}
          icon={<ChevronRight size={18} />}
          onPress={() => move(inMonth(at, 1), false)}
        />
      </div>
      <table onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={formats.weekday(day)}>
                {formats.weekdayLetter(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    ref={day === at ? current : undefined}
                    tabIndex={day === at ? 0 : -1}
                    aria-label={formats.longDay(day)}
                    aria-pressed={day >= value && day <= until}
                    aria-current={day === today ? 'date' : undefined}
                    data-other={day.slice(0, 7) !== at.slice(0, 7) || undefined}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isOptional && value !== '' && (
        <Button look="quiet" isSmall onPress={() => onChoose('')}>
          {t('none')}
        </Button>
      )}
    </div>
  );
}
