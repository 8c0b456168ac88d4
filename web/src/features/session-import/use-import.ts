import { useRef, useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { firstOptions, type Options, type Report, sendFile } from './import-queries.ts';

export const questions = ['file', 'columns', 'projects', 'preview'] as const;
export const steps = [...questions, 'done'] as const;
export type Step = (typeof steps)[number];
export type Named = Pick<Report['projects'][number], 'project_id' | 'project_name' | 'sessions'>;

/** The state of an import, from choosing the file to its records. Nothing is saved before `save`. */
export function useImport() {
  const [step, setStep] = useState<Step>('file');
  const [file, setFile] = useState<File>();
  const [columns, setColumns] = useState<Report['file_columns']>([]);
  const [options, setOptions] = useState(firstOptions);
  const [report, setReport] = useState<Report>();
  /** The projects as the file names them: those of the report before the user has changed any. */
  const [named, setNamed] = useState<readonly Named[]>([]);
  const [sent, setSent] = useState(0);
  const wanted = useRef<Options>(undefined);

  /** A table that the service cannot read without knowing its columns. */
  function askColumns(error: unknown): never {
    const asked = error instanceof ApiError ? error.details.flatMap(({ file_columns = [] }) => file_columns) : [];
    if (asked.length > 1) {
      setColumns(asked);
      setStep('columns');
    }
    throw error;
  }

  /** The service takes one file at a time: what changes during a check is checked afterwards. */
  const checking = useAction(async (chosen: File, then: (found: Report) => Step) => {
    for (;;) {
      const by = wanted.current ?? firstOptions;
      setSent(0);
      const found = await sendFile(chosen, by, { isDry: true, onProgress: setSent }).catch(askColumns);
      if (wanted.current !== by) continue;
      setReport(found);
      setColumns(found.file_columns);
      if (Object.keys(by.project_map).length === 0 && by.default_project === '') setNamed(found.projects);
      return setStep(then(found));
    }
  });
  const saving = useAction(async () => {
    if (file === undefined) return;
    setSent(0);
    setReport(await sendFile(file, options, { isDry: false, onProgress: setSent }));
    setStep('done');
  });

  function check(next: Options, then: (found: Report) => Step, chosen = file): Promise<boolean> {
    wanted.current = next;
    setOptions(next);
    return chosen === undefined ? Promise.resolve(false) : checking.run(chosen, then);
  }

  return {
    step,
    file,
    columns,
    options,
    report,
    named,
    sent,
    checking,
    saving,
    isBusy: checking.isRunning || saving.isRunning,
    async choose(chosen: File): Promise<void> {
      setFile(chosen);
      setReport(undefined);
      setNamed([]);
      await check(firstOptions, firstQuestion, chosen);
    },
    /** Columns and projects are kept for the next check. */
    set: (changed: Partial<Options>) => setOptions({ ...options, ...changed }),
    goOn: () => check(options, () => (step === 'columns' ? 'projects' : 'preview')),
    /** Checks again with other options. */
    change: (changed: Partial<Options>) => check({ ...options, ...changed }, () => 'preview'),
    back: () => setStep(steps[steps.indexOf(step) - 1] ?? 'file'),
    save: saving.run,
    restart: () => setStep('file'),
  };
}

export type Import = ReturnType<typeof useImport>;

/** Columns that the service knows need no answer, nor does a file without rows; new names of projects do. */
const firstQuestion = ({ projects, rows, valid, duration_unit_asked }: Report): Step =>
  rows === 0 || duration_unit_asked || (valid > 0 && projects.every(({ project_id }) => project_id !== null))
    ? 'preview'
    : 'projects';
