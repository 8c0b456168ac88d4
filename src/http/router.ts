import express, { type RequestHandler, type Router } from 'express';
import { MethodNotAllowedError } from '../errors.ts';
import type { Operation } from './operation.ts';

/** `/api/projects/:id` → `/api/projects`. */
function prefixOf(path: string): string {
  return /^\/api\/[^/:]+/.exec(path)?.[0] ?? '/';
}

/** Literal segments before parameters, so that `/projects/categories` does not match `/projects/:id`. */
function byPath(a: string, b: string): number {
  const rank = (path: string) => path.replace(/:\w+/g, '~');
  return rank(a) < rank(b) ? -1 : 1;
}

const pass: RequestHandler = (_request, _response, next) => next();

export function createApiRouter(
  operations: readonly Operation[],
  adapt: (operation: Operation) => RequestHandler,
  limited: RequestHandler,
): Router {
  const api = express.Router();
  // Most paths have no parameters: a lookup is faster than the routers.
  const literal = new Map<string, RequestHandler>();
  api.use((request, response, next) =>
    (literal.get(`${request.method} ${request.path}`) ?? pass)(request, response, next),
  );
  const routers = new Map<string, Router>();
  for (const path of [...new Set(operations.map((operation) => operation.path))].sort(byPath)) {
    const ofPath = operations.filter((operation) => operation.path === path);
    const prefix = prefixOf(path);
    const router = routers.get(prefix) ?? express.Router();
    routers.set(prefix, router);
    const route = router.route(path.slice(prefix === '/' ? 0 : prefix.length) || '/');
    for (const operation of ofPath) {
      const handler = adapt(operation);
      route[operation.method](handler);
      if (!path.includes(':')) literal.set(`${operation.method.toUpperCase()} ${path}`, handler);
    }
    const methods = ofPath.map((operation) => operation.method.toUpperCase());
    route.all(limited, () => {
      throw new MethodNotAllowedError(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
    });
  }
  for (const [prefix, router] of routers) api.use(prefix, router);
  return api;
}
