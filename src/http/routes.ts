import type { Operation } from './operation.ts';

export type Route = { method: Operation['method'] | 'patch'; path: string; id: string };

/** The first is the operation's own. A PUT changes only the given fields, so that each is also a PATCH. */
function routesOf(operation: Operation): Route[] {
  return [operation, ...(operation.aliases ?? [])].flatMap(({ method, path, id }) => {
    const route: Route = { method, path, id };
    return method === 'put' ? [route, { method: 'patch', path, id: id.replace(/^[a-z]+/, 'patch') }] : [route];
  });
}

/** Of a list of operations, for what is mounted and what is documented. */
export function routesOfAll(operations: readonly Operation[]): { route: Route; operation: Operation }[] {
  return operations.flatMap((operation) => routesOf(operation).map((route) => ({ route, operation })));
}
