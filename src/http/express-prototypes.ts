import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

type Classes = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * For the server of an Express application: classes whose objects are born with the prototypes it wants. Express exchanges
 * the prototype of every request and response that has another one, after which V8 knows no shape of them any more and
 * looks each property up anew: a small answer takes five times as long.
 */
export function expressPrototypes(app: Express): Classes {
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
