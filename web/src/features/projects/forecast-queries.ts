import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Forecast = Schemas['Forecast'];

export const useForecast = (id: number) =>
  useQuery({
    queryKey: ['projects', 'forecast', id],
    queryFn: async ({ signal }) => (await api.get('/api/projects/{id}/forecast', { params: { id }, signal })).data,
  });

const none: ReadonlyMap<number, Forecast> = new Map();

/** Whether these projects, at most the 50 that one request may name, are on track, by id; of the signed-in person, or for administrators of another one. */
export function useForecasts(ids: readonly number[], user_id?: number) {
  const {
    data = none,
    isPlaceholderData,
    isPending,
  } = useQuery({
    queryKey: ['projects', 'forecasts', user_id, ids.toSorted((a, b) => a - b)],
    queryFn: async ({ signal }) => {
      const query = { project_ids: ids.join(','), ...(user_id !== undefined && { user_id }) };
      const { data } = await api.get('/api/forecasts', { query, signal });
      return new Map(data.map(({ project_id, forecast }): [number, Forecast] => [project_id, forecast]));
    },
    enabled: ids.length > 0,
    placeholderData: (previous, query) => (query?.queryKey[2] === user_id ? previous : undefined), // not of another person
  });
  return { forecasts: data, isRead: ids.length === 0 || !(isPending || isPlaceholderData) };
}
