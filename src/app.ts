import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import type { Container } from './container.ts';
import { imagesAt } from './features/images/image-storage.ts';
import { createAccessLog } from './http/access-log.ts';
import { createAdapter } from './http/adapter.ts';
import { createDocsRouter } from './http/docs.ts';
import { createErrorHandler, routeNotFound } from './http/error-handler.ts';
import { createOpenApiDocument } from './http/openapi.ts';
import { createGeneralLimits, type RateLimit } from './http/rate-limit.ts';
import { createApiRouter } from './http/router.ts';
import { createSecurityTxt } from './http/security-txt.ts';
import { createStoredPictures } from './http/stored-pictures.ts';
import { createWorkLimits } from './http/work-limits.ts';

export type App = Express;

/** The whole application as one handler: middleware in order, every operation, the reference page, 404, errors. */
export function createApp(container: Container): App {
  const { config, logger, operations } = container;
  const { defaultLocale, corsOrigins, trustProxy, ratePerMinute, securityContact } = config.http;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', trustProxy);

  app.use(createAccessLog(logger, container.metrics, defaultLocale));
  if (corsOrigins.length > 0) app.use(cors(corsOptions(corsOrigins)));
  const limits = createGeneralLimits(ratePerMinute);
  const adapt = createAdapter({
    database: container.database,
    tokens: container.tokens,
    identities: container.identities,
    receiveFile: container.receiveFile,
    defaultLocale,
    seal: container.seal,
    limits,
    work: createWorkLimits(),
    requireOtp: config.requireOtp,
  });
  app.use(createApiRouter(operations, adapt, limitedBy(limits.address)));
  app.use(['/uploads', '/docs', '/openapi.json', '/.well-known'], limitedBy(limits.files));
  app.use(createStoredPictures({ at: imagesAt, storage: container.imageStorage, defaultLocale }));
  app.use(createDocsRouter(createOpenApiDocument(operations, config.publicUrl ?? '/')));
  if (securityContact !== undefined)
    app.use(createSecurityTxt({ contact: securityContact, publicUrl: config.publicUrl, clock: container.clock }));
  app.use(limitedBy(limits.address), routeNotFound);
  app.use(createErrorHandler(logger, container.securityLog, defaultLocale));
  return app;
}

function limitedBy(limit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    await limit(request, response);
    next();
  };
}

function corsOptions(origins: readonly string[]): cors.CorsOptions {
  return {
    origin: [...origins],
    credentials: true,
    maxAge: 600,
    optionsSuccessStatus: 200,
    exposedHeaders: [
      'ETag',
      'Location',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'X-Request-Id',
      'Idempotent-Replayed',
    ],
  };
}
