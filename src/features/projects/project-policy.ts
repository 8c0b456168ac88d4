import type { Actor } from '../auth/identity.ts';

/** The properties of a project that permissions depend on. */
export type ProjectAccess = { user_id: number; assigned: boolean };

export type Reader = Pick<Actor, 'id' | 'role'>;

/** Administrators see all projects, others those that they own or are assigned to. In SQL: `visibleTo`. */
export function canViewProject(reader: Reader, project: ProjectAccess): boolean {
  return canManageProject(reader, project) || project.assigned;
}

/** For changing, deleting and the cover image. In SQL: `manageableBy`. */
export function canManageProject(reader: Reader, project: Pick<ProjectAccess, 'user_id'>): boolean {
  return reader.role === 'admin' || project.user_id === reader.id;
}

export function canFilterByAssignment(reader: Reader): boolean {
  return reader.role === 'admin';
}
