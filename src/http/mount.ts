import express, { type RequestHandler, type Router } from 'express';
import { MethodNotAllowedError } from '../texts/errors.ts';
import { type Operation, routesOfAll } from './operation.ts';
import { createAuthenticateStep, createAuthorizeStep, createLimitStep, createRejectedSignIns } from './steps/access.ts';
import { body } from './steps/body.ts';
import { createHandleStep, createValidateStep, respond } from './steps/handle.ts';
import { createSlotStep } from './steps/slot.ts';
import type { ReceiveFile } from './upload.ts';

type Options = Omit<Parameters<typeof createLimitStep>[0], 'rejected'> &
  Omit<Parameters<typeof createAuthenticateStep>[0], 'rejected'> &
  Parameters<typeof createAuthorizeStep>[0] &
  Parameters<typeof createHandleStep>[0] & { receiveFile: ReceiveFile };

/** Mounts each operation as a chain of Express handlers; `steps` is the path of a request. */
export function mount(operations: readonly Operation[], options: Options): Router {
  const rejected = createRejectedSignIns();
  const limit = createLimitStep({ ...options, rejected });
  const slot = createSlotStep(options.work);
  const authenticate = createAuthenticateStep({ ...options, rejected });
  const authorize = createAuthorizeStep(options);
  const validate = createValidateStep(options.receiveFile);
  const handle = createHandleStep(options);

  const steps = (operation: Operation): RequestHandler[] => [
    limit(operation),
    ...(operation.body !== undefined && operation.upload === undefined ? [body] : []),
    slot(operation),
    authenticate(operation),
    authorize(operation),
    validate,
    handle(operation),
    respond,
  ];

  const router = express.Router();
  const all = routesOfAll(operations);
  for (const path of [...new Set(all.map(({ route }) => route.path))].sort(byPath)) {
    const ofPath = all.filter(({ route }) => route.path === path);
    const mounted = router.route(path);
    for (const { route, operation } of ofPath) mounted[route.method](...steps(operation));
    const methods = ofPath.map(({ route }) => route.method.toUpperCase());
    mounted.all(async (request, response) => {
      await options.limits.address(request, response);
      throw new MethodNotAllowedError(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
    });
  }
  return router;
}

/** Literal segments before parameters, so that `/projects/categories` does not match `/projects/:id`. */
function byPath(a: string, b: string): number {
  const rank = (path: string) => path.replace(/:\w+/g, '~');
  return rank(a) < rank(b) ? -1 : 1;
}
