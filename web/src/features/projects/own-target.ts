import type { Project } from './project-queries.ts';

/** Whether a project's goals are to be reached by the reader alone; others are those of all its users together. */
export const isOwnTarget = (project: Pick<Project, 'user_id' | 'target_scope'>, reader: number): boolean =>
  project.user_id === reader || project.target_scope === 'each';

type Reader = { id: number; weekly_goal_minutes: number | null };
/** The hours a week that the reader is to reach: those chosen for all study, or the sum of these projects. */
export const weeklyGoal = (projects: readonly Project[], { id, weekly_goal_minutes: chosen }: Reader): number =>
  chosen === null
    ? projects.reduce((sum, project) => sum + (isOwnTarget(project, id) ? (project.weekly_goal_hours ?? 0) : 0), 0)
    : chosen / 60;
