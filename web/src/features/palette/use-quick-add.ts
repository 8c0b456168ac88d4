import { useCallback, useMemo } from 'react';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useOverlapText } from '../study-sessions/overlap-text.ts';
import { addRecord, deleteRecord, overlapOf } from '../study-sessions/session-queries.ts';
import type { Entry } from './entries.ts';
import { rank } from './match.ts';
import { paletteMessages } from './messages.ts';
import { parseQuickAdd } from './quick-add.ts';

type Named = { id: number; name: string };
type Match = { project: Named; note: string; words: number; order: number };

/** The projects that the text begins with, those named by most words first; further words are the note. */
function matchProjects(text: string, projects: readonly Named[]): Match[] {
  const words = text.split(' ');
  const matches = projects.flatMap((project): Match[] => {
    for (let count = words.length; count > 0; count -= 1) {
      const order = rank(words.slice(0, count).join(' '), [project.name]);
      if (order !== undefined) return [{ project, note: words.slice(count).join(' '), words: count, order }];
    }
    return [];
  });
  const most = Math.max(...matches.map((match) => match.words));
  return matches.filter((match) => match.words === most).sort((a, b) => a.order - b.order);
}

/** “piano 45m yesterday 18:00” as records to add, each described in words. */
export function useQuickAdd(typed: string) {
  const t = useTexts(paletteMessages);
  const problem = useProblem();
  const sayOverlap = useOverlapText();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const quick = useMemo(() => parseQuickAdd(typed, Date.parse(outbox.now()), timezone), [typed, timezone]);

  const entriesFor = useCallback(
    (projects: readonly Named[]): Entry[] => {
      if (quick === undefined) return [];
      const { from: started_at, to: ended_at } = quick;
      const duration = formats.duration((Date.parse(ended_at) - Date.parse(started_at)) / 1000);
      const times = { day: formats.day(started_at), from: formats.time(started_at), to: formats.time(ended_at) };

      async function add({ id, name }: Named, note: string): Promise<void> {
        try {
          const record = await addRecord(name, { project_id: id, started_at, ended_at, note, tags: [] });
          const text = t('added', { duration, project: name });
          const undo = () => record && deleteRecord(record).catch((error: unknown) => toast({ text: problem(error) }));
          toast({ text, ...(record && { undo: () => void undo() }) });
        } catch (error) {
          const overlap = overlapOf(error);
          const other = projects.find((project) => project.id === overlap?.projectId)?.name;
          toast({ text: (overlap && sayOverlap(overlap, other)) ?? problem(error) });
        }
      }
      return matchProjects(quick.text, projects).map(({ project, note }) => {
        const record = t('add_record', { project: project.name, duration, ...times });
        const name = note === '' ? record : t('add_note', { record, note });
        return { id: `add ${project.id}`, kind: 'add', names: [name], run: () => void add(project, note) };
      });
    },
    [quick, t, formats, problem, sayOverlap],
  );
  return { quick, entriesFor };
}
