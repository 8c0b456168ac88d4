import type { AssignableUser } from './assignment-repository.ts';

export function isAssignable(user: Pick<AssignableUser, 'role' | 'status'> | undefined): boolean {
  return user?.role === 'user' && user.status === 'active';
}
