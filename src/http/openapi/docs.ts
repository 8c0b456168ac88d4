import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { projectRoot } from '../../project-root.ts';
import { contentPolicy } from '../web/security.ts';

/** Copied by the build; a checkout that was not built has the package. */
const copied = path.join(projectRoot, 'dist/swagger-ui');
const assets = existsSync(copied)
  ? copied
  : path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Studytrack API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="data:,"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/init.js"></script></body></html>
`;
const script = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, filter: true, persistAuthorization: false });\n`;

// Swagger UI sets inline styles.
const policy = contentPolicy({
  'default-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'frame-ancestors': ["'none'"],
});
const noCache: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

export function createDocsRouter(createDocument: () => object): Router {
  const router = express.Router();
  router.use(['/openapi.json', '/docs'], policy, noCache);
  let json: Buffer | undefined;
  router.get('/openapi.json', (_request, response) => {
    json ??= Buffer.from(JSON.stringify(createDocument()));
    response.set('Access-Control-Allow-Origin', '*').type('application/json').send(json);
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  router.get('/docs/init.js', (_request, response) => {
    response.type('text/javascript').send(script);
  });
  router.use('/docs', express.static(assets, { index: false, fallthrough: true }));
  return router;
}
