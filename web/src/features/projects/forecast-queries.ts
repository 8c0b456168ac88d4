import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Forecast = Schemas['Forecast'];

const forecastOf = (id: number) =>
  queryOptions({
    queryKey: ['projects', 'forecast', id],
    queryFn: async ({ signal }) => (await api.get('/api/projects/{id}/forecast', { params: { id }, signal })).data,
  });
export const useForecast = (id: number) => useQuery(forecastOf(id));

/** Whether these projects are on track, by id. */
export function useForecasts(ids: readonly number[]): ReadonlyMap<number, Forecast> {
  return useQueries({
    queries: ids.map(forecastOf),
    combine: (results) =>
      new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[ids[index] ?? 0, data] as const]))),
  });
}
