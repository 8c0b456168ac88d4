import type { Project } from './project-queries.ts';

/** Whether a project's goals are to be reached by the reader alone; others are those of all its users together. */
export const isOwnTarget = (project: Pick<Project, 'user_id' | 'target_scope'>, reader: number): boolean =>
  project.user_id === reader || project.target_scope === 'each';

/** The hours a week that the reader is to reach in these projects. */
export const weeklyGoal = (projects: readonly Project[], reader: number): number =>
  projects.reduce((sum, project) => sum + (isOwnTarget(project, reader) ? (project.weekly_goal_hours ?? 0) : 0), 0);
