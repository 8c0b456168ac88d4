import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { Stat } from '../../ui/stats.tsx';
import type { Student } from './progress-queries.ts';
import { type StandingName, standingOf } from './standing.ts';

const texts = {
  on_track: { en: 'On track', zh: '进度正常' },
  of: { en: 'of {count}', zh: '/ {count}' },
  note: { en: '{behind} behind, {silent} silent', zh: '{behind} 人落后，{silent} 人未学习' },
} as const satisfies Catalogue;

/** How many of these students are on track or ahead, and how many are behind or silent. */
export function OnTrackStat({ students }: { students: readonly Student[] }) {
  const t = useTexts(texts);
  const standings = students.map((student) => standingOf(student).name);
  const count = (...names: StandingName[]) => standings.filter((name) => names.includes(name)).length;
  return (
    <Stat
      label={t('on_track')}
      value={
        <>
          {count('on_track', 'ahead')} <small>{t('of', { count: students.length })}</small>
        </>
      }
      note={t('note', { behind: count('behind', 'overdue'), silent: count('silent') })}
    />
  );
}
