import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { Chip, type ChipLook } from '../../ui/chip.tsx';
import type { Student } from './progress-queries.ts';
import { type StandingName, standingOf } from './standing.ts';

const standingMessages = {
  silent: { en: { one: 'Silent {count} day', other: 'Silent {count} days' }, zh: '{count} 天未学习' },
  overdue: { en: 'Overdue {count}', zh: '已逾期 {count}' },
  behind: { en: 'Behind {count}', zh: '落后 {count}' },
  overdue_of: { en: 'Overdue in {count} of {total}', zh: '{total} 项中 {count} 项逾期' },
  behind_of: { en: 'Behind in {count} of {total}', zh: '{total} 项中 {count} 项落后' },
  overdue_only: { en: 'Overdue', zh: '已逾期' },
  behind_only: { en: 'Behind', zh: '落后' },
  slowing: { en: 'Slowing', zh: '进度放缓' },
  not_started: { en: 'Not started', zh: '未开始' },
  on_track: { en: 'On track', zh: '进度正常' },
  ahead: { en: 'Ahead', zh: '进度领先' },
  without_goals: { en: 'No goals', zh: '没有目标' },
} as const satisfies Catalogue;

const looks: Readonly<Record<Exclude<StandingName, 'without_goals'>, ChipLook>> = {
  silent: 'bad',
  overdue: 'bad',
  behind: 'warn',
  slowing: 'warn',
  not_started: 'plain',
  on_track: 'good',
};

/** The standing of a student; `isLong` also tells of how many goals, if there are several. */
export function StandingChip({ student, isLong = false }: { student: Student; isLong?: boolean }) {
  const t = useTexts(standingMessages);
  const { name, count } = standingOf(student);
  const { ahead, total } = student.goals;
  if (name === 'without_goals') return <span>{t(name)}</span>;
  if (name === 'on_track' && ahead === total && total > 0) return <Chip look="good">{t('ahead')}</Chip>;
  const form = total === 1 ? 'only' : 'of';
  const text = isLong && (name === 'overdue' || name === 'behind') ? (`${name}_${form}` as const) : name;
  return <Chip look={looks[name]}>{t(text, { count, total })}</Chip>;
}
