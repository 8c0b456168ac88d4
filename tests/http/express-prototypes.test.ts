import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { expressPrototypes } from '../../src/boot/http-server.ts';

test('Express does not change the prototypes of requests and responses', async () => {
  const app = express();
  app.get('/', (request, response) => void response.json({ path: request.path, isRequest: request.app === app }));
  const prototypes: unknown[][] = [];
  const of = (...messages: [IncomingMessage, ServerResponse]) => messages.map(Object.getPrototypeOf);
  const server = createServer(expressPrototypes(app), (request, response) => {
    const initial = of(request, response);
    app(request, response);
    prototypes.push(initial, of(request, response));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await response.json()).toEqual({ path: '/', isRequest: true });
  const [initial, final] = prototypes;
  expect(initial).toHaveLength(2);
  expect(final?.map((prototype, index) => prototype === initial?.[index])).toEqual([true, true]);
});
