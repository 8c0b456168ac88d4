import type { Actor } from '../auth/identity.ts';

/** What decides who may do what to a project. */
export type ProjectFacts = { user_id: number; assigned: boolean };

type Who = Pick<Actor, 'id' | 'role'>;

/** Administrators see everything, others what they own and what is assigned to them. */
export function canViewProject(actor: Who, project: ProjectFacts): boolean {
  return canManageProject(actor, project) || project.assigned;
}

/** Changing, deleting and the cover image are for the owner and administrators. */
export function canManageProject(actor: Who, project: Pick<ProjectFacts, 'user_id'>): boolean {
  return actor.role === 'admin' || project.user_id === actor.id;
}
