import type { AssignableFacts } from './assignment-repository.ts';

export function isAssignable(user: Pick<AssignableFacts, 'role' | 'status'> | undefined): boolean {
  return user?.role === 'user' && user.status === 'active';
}
