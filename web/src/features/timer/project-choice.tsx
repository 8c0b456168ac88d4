import { useState } from 'react';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { rank } from '../palette/match.ts';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { type StudyRecord, useRecords } from '../study-sessions/session-queries.ts';
import { usePresetId } from './preset.ts';

/** A project to start, with the note of its latest record. */
export type Choice = { project: Project; note: string };

const [maxRecent, maxOther] = [5, 8];

/** The projects that match a text: those with recent records, and all others. */
export function useChoices(typed: string) {
  const { id: userId } = useAccount();
  const text = typed.trim();
  const { data: projects } = useActiveProjects();
  const settled = useDebounced(text.slice(0, 100), 200);
  const isMore = (projects?.length ?? 0) >= 100 && settled !== '';
  const { data: found } = useActiveProjects(isMore ? settled : '');
  const { data: records } = useRecords(userId);
  const latest = records?.pages[0]?.sessions ?? [];

  const known = new Map(
    [...(projects ?? []), ...(isMore ? (found ?? []) : [])].map((project) => [project.id, project]),
  );
  const fits = (...names: string[]) => rank(text, names) !== undefined;
  const recent: Choice[] = [];
  for (const { project_id, note } of latest) {
    const project = known.get(project_id);
    const isNew = recent.every((choice) => choice.project.id !== project_id);
    if (project !== undefined && isNew && fits(project.name, note)) recent.push({ project, note });
  }
  const shown = recent.slice(0, maxRecent);
  const others = [...known.values()]
    .filter(({ id, name }) => fits(name) && shown.every(({ project }) => project.id !== id))
    .slice(0, maxOther)
    .map((project): Choice => ({ project, note: '' }));
  return { projects, latest, recent: shown, others };
}

const maxBackdating = 12 * 3_600_000;

/** When the latest record ended, if that is recent enough to begin there. */
export function lastEndOf(records: readonly StudyRecord[]): string | undefined {
  const end = records.find(({ ended_at }) => ended_at !== null)?.ended_at ?? undefined;
  const isRecent = end !== undefined && Date.parse(outbox.now()) - Date.parse(end) < maxBackdating;
  return isRecent ? end : undefined;
}

/** The project that Start uses: the selected one, else that of the page, else the one studied last, else any. */
export function useChosenProject(recent: number | undefined) {
  const { id: userId } = useAccount();
  const { data: projects } = useActiveProjects();
  const { data: records } = useRecords(userId);
  const [chosen, setChosen] = useState<Project>();
  const last = recent ?? records?.pages[0]?.sessions[0]?.project_id;
  const preset = usePresetId();
  const find = (id: number | undefined) => projects?.find((project) => project.id === id);
  return { project: chosen ?? find(preset) ?? find(last) ?? projects?.[0], setChosen };
}
