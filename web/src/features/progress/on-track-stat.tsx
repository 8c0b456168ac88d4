import { useMarks } from '../../lib/marks.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { SparkLine } from '../../ui/sparkline.tsx';
import { Delta, Stat } from '../../ui/stats.tsx';
import type { Student } from './progress-queries.ts';
import { type StandingName, standingOf } from './standing.ts';

const texts = {
  on_track: { en: 'On track', zh: '进度正常' },
  of: { en: 'of {count}', zh: '/ {count}' },
  note: { en: '{behind} behind, {silent} silent', zh: '{behind} 人落后，{silent} 人未学习' },
  vs_week: { en: 'vs a week ago', zh: '较一周前' },
  same_week: { en: 'same as a week ago', zh: '与一周前持平' },
  weeks: { en: 'On track in the last weeks: {counts}', zh: '最近几周进度正常的人数：{counts}' },
} as const satisfies Catalogue;

type Props = {
  students: readonly Student[];
  /** How many were on track in each of the weeks before, if that is shown instead of who is not. */
  before?: readonly number[];
  /** These weeks are being loaded: another note would be replaced in a moment. */
  isWaiting?: boolean;
};

/** How many of these students are on track or ahead. */
export function OnTrackStat({ students, before = [], isWaiting = false }: Props) {
  const t = useTexts(texts);
  const marks = useMarks();
  const standings = students.map((student) => standingOf(student).name);
  const count = (...names: StandingName[]) => standings.filter((name) => names.includes(name)).length;
  const now = count('on_track');
  const change = now - (before.at(-1) ?? now);
  const counts = [...before, now];
  return (
    <Stat
      label={t('on_track')}
      value={
        <>
          {now} <small>{t('of', { count: students.length })}</small>
        </>
      }
      chart={before.length > 0 && <SparkLine label={t('weeks', { counts: marks.list(counts) })} values={counts} />}
      note={
        isWaiting ? (
          '\u00a0'
        ) : before.length === 0 ? (
          t('note', { behind: count('behind', 'overdue', 'slowing'), silent: count('silent') })
        ) : change === 0 ? (
          t('same_week')
        ) : (
          <>
            <Delta value={change}>{Math.abs(change)}</Delta> {t('vs_week')}
          </>
        )
      }
    />
  );
}
