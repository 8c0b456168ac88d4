import { Download } from 'lucide-react';
import { useRef } from 'react';
import { useFormats } from '../../lib/format.ts';
import { saveFile } from '../../lib/save-file.ts';
import { specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import type { Week } from '../plan/week-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './week-picture.module.css';

const [width, rowHeight, left, right, top] = [640, 34, 64, 108, 64];
const height = top + 7 * rowHeight + 16;
const hourMilliseconds = 3_600_000;

type Props = { week: Week; hueOf: (id: number) => number };

/** On the last day of a week: its seven days as bands, as a picture to keep. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function WeekPicture({ week, hueOf }: Props) {
  const t = useTexts(todayMessages);
  const formats = useFormats('UTC'); // dates have no time
  const { day_start_hour } = useAccount();
  const { days: special } = useSchoolYear();
  const nameOf = useDayName();
  const drawing = useRef<SVGSVGElement>(null);
  const totals = week.days.map(({ parts }) => secondsOf(parts));
  const total = totals.reduce((sum, seconds) => sum + seconds, 0);
  if (total === 0) return null;
  const best = totals.indexOf(Math.max(...totals));
  const [first, last] = [Math.min(6, day_start_hour), 24];
  const x = (hour: number) =>
    left + ((Math.min(last, Math.max(first, hour)) - first) / (last - first)) * (width - left - right);
  const summary = t('picture_total', {
    duration: formats.duration(total),
    count: totals.filter((seconds) => seconds > 0).length,
  });
  const range = formats.dayRange(week.days[0]?.date ?? '', week.days.at(-1)?.date ?? '');
  return (
    <Card
      title={t('picture')}
      context={t('picture_best', {
        day: formats.weekday(week.days[best]?.date ?? ''),
        duration: formats.duration(totals[best] ?? 0),
      })}
      actions={
        <Button
          look="quiet"
          icon={<Download size={16} />}
          onPress={() => drawing.current !== null && void save(drawing.current, `studytrack-${week.today.date}.png`)}
        >
          {t('save_picture')}
        </Button>
      }
      className={styles.picture}
    >
      <svg ref={drawing} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${range} · ${summary}`}>
        <pattern id="picture-day-off" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className={styles.hatch} x1="0" x2="0" y1="0" y2="6" />
        </pattern>
        <rect className={styles.ground} width={width} height={height} rx="12" />
        <text className={styles.title} x="20" y="38">
          {range}
        </text>
        <text className={styles.total} x={width - 20} y="38" textAnchor="end">
          {summary}
        </text>
        {week.days.map(({ date, from, stretches }, index) => {
          const y = top + index * rowHeight;
          const found = specialOn(special, date);
          const hourOf = (moment: number) => (moment - from) / hourMilliseconds + day_start_hour;
          return (
            <g key={date}>
              {found !== undefined && <title>{nameOf(found)}</title>}
              <text className={styles.day} x="20" y={y + 17}>
                {formats.weekdayShort(date)}
              </text>
              <rect className={styles.track} x={left} y={y} width={width - left - right} height="24" rx="6" />
              {found !== undefined && found.kind !== 'school_day' && (
                <rect
                  data-day-off=""
                  fill="url(#picture-day-off)"
                  x={left}
                  y={y}
                  width={width - left - right}
                  height="24"
                  rx="6"
                />
              )}
              {stretches.map((stretch) => (
                <rect
                  key={stretch.from}
                  className={styles.fill}
                  data-hue={hueOf(stretch.project_id)}
                  x={x(hourOf(stretch.from))}
                  y={y}
                  width={Math.max(2, x(hourOf(stretch.to)) - x(hourOf(stretch.from)))}
                  height="24"
                  rx="3"
                />
              ))}
              <text className={styles.day} x={width - 20} y={y + 17} textAnchor="end">
                {(totals[index] ?? 0) > 0 ? formats.duration(totals[index] ?? 0) : '–'}
              </text>
            </g>
          );
        })}
      </svg>
    </Card>
  );
}

const scale = 2;
const drawn = ['fill', 'stroke', 'stroke-width', 'font-family', 'font-size', 'font-weight'] as const;

/** Draws it as a file: styles of the page do not apply there, so each element gets its own. */
async function save(drawing: SVGSVGElement, name: string): Promise<void> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [...drawing.querySelectorAll('*')];
  for (const [index, element] of [...copy.querySelectorAll('*')].entries()) {
    const computed = getComputedStyle(originals[index] as Element);
    for (const property of drawn) element.setAttribute(property, computed.getPropertyValue(property));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image(width * scale, height * scale);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob !== null && saveFile(blob, name));
}
