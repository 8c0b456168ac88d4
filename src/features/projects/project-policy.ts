import type { Actor } from '../auth/identity.ts';

/** What decides who may do what to a project. */
export type ProjectFacts = { user_id: number; assigned: boolean };

export type Reader = Pick<Actor, 'id' | 'role'>;

/** Administrators see everything, others what they own and what is assigned to them. In SQL: `visibleTo`. */
export function canViewProject(reader: Reader, project: ProjectFacts): boolean {
  return canManageProject(reader, project) || project.assigned;
}

/** Changing, deleting and the cover image are for the owner and administrators. In SQL: `manageableBy`. */
export function canManageProject(reader: Reader, project: Pick<ProjectFacts, 'user_id'>): boolean {
  return reader.role === 'admin' || project.user_id === reader.id;
}

/** Who else is assigned to a project is for administrators. */
export function canFilterByAssignment(reader: Reader): boolean {
  return reader.role === 'admin';
}
