import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { authMessages } from './messages.ts';
import styles from './poster.module.css';
import week from './poster.svg?no-inline';

const days = [23, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`);

/** What the application is for, with a picture of a week; decoration. */
export function Poster() {
  const t = useTexts(authMessages);
  const formats = useFormats('UTC');
  return (
    <div className={styles.poster} aria-hidden="true">
      <p>{t('poster')}</p>
      <p>{t('poster_how')}</p>
      <div className={styles.week}>
        <img src={week} alt="" />
        <ul>
          {days.map((day) => (
            <li key={day}>{formats.weekdayShort(day)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
