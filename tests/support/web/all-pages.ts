import { pattern, type RouteName, routeNames } from '../../../web/src/routes.ts';
import type { FullApp } from './every-page.ts';

/** The pages of signed-out users, and those that only lead elsewhere. */
const others: readonly RouteName[] = [
  'signIn',
  'singleSignOn',
  'setup',
  'contact',
  'forgotPassword',
  'accessibility',
  'accept',
  'confirmEmail',
  'unsubscribe',
  'sharedReport',
  'trash',
];
const parts = ['study', 'sign-in', 'data'];

/** The address of every page of a role, with what it shows. */
export function pagesOf(app: FullApp, role: 'user' | 'admin'): string[] {
  const ids: Partial<Record<RouteName, number>> = {
    project: app.projectId,
    editProject: app.projectId,
    student: app.student.id,
    user: app.student.id,
    group: app.groupId,
    request: 1,
  };
  const names = routeNames.filter(
    (name) => !others.includes(name) && (role === 'admin' || !pattern(name).startsWith('/admin')),
  );
  return names.flatMap((name) => {
    if (name === 'mySettings') return parts.map((part) => pattern(name).replace(':part', part));
    const path = pattern(name).replace(':id', `${ids[name]}`);
    return name === 'group' ? [path, `${path}?tab=students`, `${path}?tab=compare`, `${path}?tab=projects`] : [path];
  });
}
