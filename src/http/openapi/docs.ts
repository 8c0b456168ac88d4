import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import type { Compression } from '../response/compression.ts';
import { securityHeaders } from '../response/send.ts';

const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Studytrack API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="data:,"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/init.js"></script></body></html>
`;
const script = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, filter: true, persistAuthorization: false });\n`;

// Swagger UI sets inline styles.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
const headers: RequestHandler = (_request, response, next) => {
  response.set({ ...securityHeaders, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  next();
};

export function createDocsRouter(createDocument: () => object, compression: Compression): Router {
  const router = express.Router();
  let json: Buffer | undefined;
  router.get('/openapi.json', headers, async (request, response) => {
    json ??= Buffer.from(JSON.stringify(createDocument()));
    const acceptsGzip = request.acceptsEncodings('gzip') === 'gzip';
    const compressed = acceptsGzip ? await compression.bytes(json) : undefined;
    if (compressed !== undefined) response.set('Content-Encoding', 'gzip');
    response.vary('Accept-Encoding').set('Access-Control-Allow-Origin', '*').type('application/json');
    response.send(compressed ?? json);
  });
  router.get('/docs', headers, (_request, response) => {
    response.type('html').send(page);
  });
  router.get('/docs/init.js', headers, (_request, response) => {
    response.type('text/javascript').send(script);
  });
  router.use('/docs', headers, express.static(assets, { index: false, fallthrough: true }));
  return router;
}
