import express, { type RequestHandler, type Router } from 'express';
import { MethodNotAllowedError } from '../errors.ts';
import type { Operation } from './operation.ts';

/** `/api/projects/:id` → `/api/projects`: the part by which requests are handed to a feature's router. */
function prefixOf(path: string): string {
  return /^\/api\/[^/:]+/.exec(path)?.[0] ?? '/';
}

/** Literal segments before parameters, so that `/projects/categories` is never taken for `/projects/:id`. */
function byPath(a: string, b: string): number {
  const rank = (path: string) => path.replace(/:\w+/g, '~');
  return rank(a) < rank(b) ? -1 : 1;
}

const pass: RequestHandler = (_request, _response, next) => next();

/** Mounts every operation, one router for each part of the interface; a known path with another method is 405. */
export function createApiRouter(
  operations: readonly Operation[],
  adapt: (operation: Operation) => RequestHandler,
  limited: RequestHandler,
): Router {
  const api = express.Router();
  // Most requests are for a path without parameters, as it is written: found by name, they need not pass the routers.
  const named = new Map<string, RequestHandler>();
  api.use((request, response, next) =>
    (named.get(`${request.method} ${request.path}`) ?? pass)(request, response, next),
  );
  const routers = new Map<string, Router>();
  for (const path of [...new Set(operations.map((operation) => operation.path))].sort(byPath)) {
    const here = operations.filter((operation) => operation.path === path);
    const prefix = prefixOf(path);
    const router = routers.get(prefix) ?? express.Router();
    routers.set(prefix, router);
    const route = router.route(path.slice(prefix === '/' ? 0 : prefix.length) || '/');
    for (const operation of here) {
      const handler = adapt(operation);
      route[operation.method](handler);
      if (!path.includes(':')) named.set(`${operation.method.toUpperCase()} ${path}`, handler);
    }
    const methods = here.map((operation) => operation.method.toUpperCase());
    route.all(limited, () => {
      throw new MethodNotAllowedError(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
    });
  }
  for (const [prefix, router] of routers) api.use(prefix, router);
  return api;
}
