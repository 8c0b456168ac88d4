import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from './api.ts';
import { type Catalogue, useTexts } from './texts.ts';

type SchoolYear = Schemas['SchoolYear'];
export type SpecialDay = SchoolYear['days'][number];
type Whose = { user_id?: number; group_id?: number };

const none: SchoolYear = { terms: [], days: [] };

/** The terms and special days of the signed-in person, or for administrators of another one or of a class. */
export function useSchoolYear(whose: Whose = {}): SchoolYear {
  const { data } = useQuery({
    queryKey: ['school-year', 'of', whose],
    queryFn: async ({ signal }) => (await api.get('/api/school-year', { query: whose, signal })).data,
    staleTime: 5 * 60_000,
  });
  return data ?? none;
}

/** The holiday, make-up day or excused day that a date is; undefined for ordinary days. */
export const specialOn = (days: readonly SpecialDay[], date: string): SpecialDay | undefined =>
  days.find(({ from, to }) => from <= date && date <= to);

const messages = {
  off: { en: 'day off', zh: '放假' },
  excused: { en: 'excused', zh: '请假' },
  school_day: { en: 'make-up day', zh: '调休上课' },
  named: { en: '{name}, {kind}', zh: '{name}，{kind}' },
} as const satisfies Catalogue;

/** Names what a day is, such as "National Day, day off". */
export function useDayName() {
  const t = useTexts(messages);
  return ({ name, kind }: SpecialDay): string => (name === '' ? t(kind) : t('named', { name, kind: t(kind) }));
}
