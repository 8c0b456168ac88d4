import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed, recordsChanged } from '../../lib/freshness.ts';

type Status = Schemas['SessionImport'];
export type Report = NonNullable<Status['report']> & { import_id: number };
export type Column = keyof Report['columns'];
export type Options = {
  /** Header by column, as far as the user has assigned them. */
  columns: Partial<Record<Column, string>>;
  date_order: Report['date_order'] | 'auto';
  /** Empty: as the file says. */
  duration_unit: NonNullable<Report['duration_unit']> | '';
  on_overlap: 'skip' | 'trim' | 'stack';
  /** For a name in the file: the id of another project, or null to leave its rows out. */
  project_map: Record<string, number | null>;
  /** The id of the project of rows that name none. */
  default_project: string;
  people: 'own' | 'all';
  from_other_account: boolean;
};

export const firstOptions: Options = {
  columns: {},
  date_order: 'auto',
  duration_unit: '',
  on_overlap: 'skip',
  project_map: {},
  default_project: '',
  people: 'own',
  from_other_account: false,
};

type Sending = { isDry: boolean; onProgress: (fraction: number) => void };

/** Checks a file, or imports it. Rows with errors are left out, and missing projects are created. */
export async function sendFile(file: File, options: Options, { isDry, onProgress }: Sending): Promise<Report> {
  const { date_order, on_overlap, people, default_project, from_other_account } = options;
  const form = {
    ...({ date_order, on_overlap, people, skip_invalid: 'true', create_projects: 'true' } as const),
    dry_run: isDry ? 'true' : 'false',
    from_other_account: from_other_account ? 'true' : 'false',
    ...(Object.keys(options.columns).length > 0 && { columns: JSON.stringify(options.columns) }),
    ...(Object.keys(options.project_map).length > 0 && { project_map: JSON.stringify(options.project_map) }),
    ...(default_project !== '' && { default_project }),
    ...(options.duration_unit !== '' && { duration_unit: options.duration_unit }),
    file, // last: the service needs the options before it
  } as const;
  const { data } = await api.post('/api/sessions/import', { form, onProgress });
  if (!isDry) await importsChanged();
  return data;
}

/** Deletes the records of an import again, except those that were edited since. */
export async function undoImport(id: number) {
  const { data } = await api.delete('/api/sessions/imports/{id}', { params: { id } });
  await importsChanged();
  return data;
}

const importsChanged = () => Promise.all([recordsChanged(), changed('imports')]);

/** The imports of the last 7 days. */
export function useImports(isSaving: boolean) {
  const { data } = useQuery({
    queryKey: ['imports'],
    queryFn: async ({ signal }) => (await api.get('/api/sessions/imports', { signal })).data.imports,
    refetchInterval: isSaving && 1000,
  });
  return data ?? [];
}

/** Progress of the running import, from 0 to 1. */
export function progressOf(imports: readonly Status[]): number {
  const running = imports.find(({ dry_run, finished_at }) => !dry_run && finished_at === null);
  return running === undefined || running.rows === 0 ? 0 : running.processed / running.rows;
}
