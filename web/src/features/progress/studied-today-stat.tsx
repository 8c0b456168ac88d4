import type { ReactNode } from 'react';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { Delta, Stat } from '../../ui/stats.tsx';
import { sumOf } from './everyone.ts';
import type { Student } from './progress-queries.ts';

const texts = {
  studied_today: { en: 'Studied today', zh: '今天已学习' },
  of: { en: 'of {count}', zh: '/ {count}' },
  vs_day: { en: 'vs this time last {weekday}', zh: '较上{weekday}同时' },
} as const satisfies Catalogue;

type Props = {
  students: readonly Student[];
  /** The note if as many studied a week ago. */
  same: string;
  chart?: ReactNode;
};

/** How many of these students have studied today, compared with this time a week ago. */
export function StudiedTodayStat({ students, same, chart }: Props) {
  const t = useTexts(texts);
  const formats = useOwnFormats();
  const { studied, studiedThen: sameDay } = sumOf(students);
  const today = studied.at(-1) ?? 0;
  const weekday = formats.weekdayShort(new Date().toISOString());
  return (
    <Stat
      label={t('studied_today')}
      value={
        <>
          {today} <small>{t('of', { count: students.length })}</small>
        </>
      }
      chart={chart}
      note={
        today === sameDay ? (
          same
        ) : (
          <>
            <Delta value={today - sameDay}>{Math.abs(today - sameDay)}</Delta> {t('vs_day', { weekday })}
          </>
        )
      }
    />
  );
}
