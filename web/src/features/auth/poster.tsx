import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { authMessages } from './messages.ts';
import styles from './poster.module.css';

/** Study of each day from Monday: colour, place and length. */
const days: readonly (readonly (readonly [hue: number, from: number, length: number])[])[] = [
  [
    [9, 80, 25],
    [2, 313, 37],
    [1, 454, 65],
    [11, 575, 49],
  ],
  [
    [7, 112, 45],
    [10, 434, 61],
    [9, 555, 37],
  ],
  [
    [2, 293, 25],
    [1, 414, 78],
    [7, 595, 49],
  ],
  [
    [9, 80, 25],
    [7, 442, 94],
    [1, 579, 37],
  ],
  [
    [9, 80, 29],
    [2, 297, 29],
    [11, 394, 37],
    [1, 438, 106],
  ],
  [
    [10, 193, 90],
    [7, 354, 57],
  ],
  [
    [9, 213, 49],
    [2, 434, 78],
  ],
];
const monday = Date.UTC(2026, 0, 5);

/** What the application is for, as a picture of a week; decoration. */
export function Poster() {
  const t = useTexts(authMessages);
  const formats = useFormats('UTC');
  const name = (day: number) => formats.weekdayShort(new Date(monday + day * 86_400_000).toISOString());
  return (
    <div className={styles.poster} aria-hidden="true">
      <p>{t('poster')}</p>
      <p>{t('poster_how')}</p>
      <svg viewBox="0 0 656 430" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
        {days.map((blocks, day) => (
          <g key={name(day)} transform={`translate(0 ${day * 58 + 20})`}>
            <rect className={styles.lane} x="72" width="656" height="40" rx="8" />
            <text x="58" y="25" textAnchor="end">
              {name(day)}
            </text>
            {blocks.map(([hue, from, length]) => (
              <rect key={from} data-hue={hue} className={styles.block} x={from} width={length} height="40" rx="6" />
            ))}
          </g>
        ))}
        <circle cx="544" cy="272" r="9" />
      </svg>
    </div>
  );
}
