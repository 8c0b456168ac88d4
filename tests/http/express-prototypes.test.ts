import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { expressPrototypes } from '../../src/http/express-prototypes.ts';

test('Express leaves the prototypes of requests and responses as they were born', async () => {
  const app = express();
  app.get('/', (request, response) => void response.json({ path: request.path, isRequest: request.app === app }));
  const prototypes: unknown[][] = [];
  const of = (...messages: [IncomingMessage, ServerResponse]) => messages.map(Object.getPrototypeOf);
  const server = createServer(expressPrototypes(app), (request, response) => {
    const born = of(request, response);
    app(request, response);
    prototypes.push(born, of(request, response));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.json()).toEqual({ path: '/', isRequest: true });
  const [born, then] = prototypes;
  expect(born).toHaveLength(2);
  expect(then?.map((prototype, index) => prototype === born?.[index])).toEqual([true, true]);
});
