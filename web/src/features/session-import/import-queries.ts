import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { recordsChanged } from '../../lib/freshness.ts';

export type Options = {
  on_overlap: 'reject' | 'skip' | 'trim' | 'stack';
  date_order: 'auto' | 'day_first' | 'month_first';
  skip_invalid: boolean;
  create_projects: boolean;
};
export type Report = Awaited<ReturnType<typeof send>>;

async function send(file: File, options: Options, isDry: boolean, onProgress: (fraction: number) => void) {
  const { on_overlap, date_order, skip_invalid, create_projects } = options;
  const form = {
    on_overlap,
    date_order,
    skip_invalid: skip_invalid ? 'true' : 'false',
    create_projects: create_projects ? 'true' : 'false',
    dry_run: isDry ? 'true' : 'false',
    file, // last: the service needs the options before it
  } as const;
  return (await api.post('/api/sessions/import', { form, onProgress })).data;
}

/** Checks a file with a dry run. */
export const checkFile = (file: File, options: Options, onProgress: (fraction: number) => void): Promise<Report> =>
  send(file, options, true, onProgress);

export async function importFile(
  file: File,
  options: Options,
  onProgress: (fraction: number) => void,
): Promise<Report> {
  const report = await send(file, options, false, onProgress);
  await recordsChanged();
  return report;
}

type Status = Schemas['SessionImport'];

/** Progress of the running import, from 0 to 1. */
export function useImportProgress(isSaving: boolean): number {
  const { data } = useQuery({
    queryKey: ['imports'],
    queryFn: async ({ signal }) => (await api.get('/api/sessions/imports', { signal })).data.imports,
    enabled: isSaving,
    refetchInterval: 1000,
    gcTime: 0,
  });
  const running = data?.find(({ dry_run, finished_at }: Status) => !dry_run && finished_at === null);
  return running === undefined || running.rows === 0 ? 0 : running.processed / running.rows;
}
