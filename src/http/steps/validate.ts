import type { RequestHandler } from 'express';
import { setBy } from '../request.ts';
import { type ReceiveFile, removeFile } from '../upload.ts';

/** Checks path, query and body, in this order of errors: path 400, resource 404 or 403, query and body 400. Receives an upload. */
export function createValidateStep(receiveFile: ReceiveFile): RequestHandler {
  const receive: ReceiveFile = async (request, response, rule) => {
    const received = await receiveFile(request, response, rule);
    const remove = () => void removeFile(received.file.path);
    if (response.closed) remove();
    else response.once('close', remove);
    return received;
  };
  return async (request, response, next) => {
    const input = setBy('authenticate', request.input);
    request.work = await input.validate({ request, response, receiveFile: receive });
    next();
  };
}
