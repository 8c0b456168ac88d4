import express, { type Express, type RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import { deliveryData } from '../features/integrations/webhooks/webhook-events.ts';
import { createImageRouter } from '../features/study/images/image-router.ts';
import { createErrorHandler, routeNotFound } from '../http/error-handler.ts';
import { createIdempotency } from '../http/idempotency.ts';
import { createGeneralLimits, type RateLimit } from '../http/limits.ts';
import { mount } from '../http/mount.ts';
import { createDocsRouter } from '../http/openapi/docs.ts';
import { createOpenApiDocument } from '../http/openapi/document.ts';
import { routesOfAll } from '../http/operation.ts';
import { createAccessLog, createRequestInfo, plainForwardedFor } from '../http/request.ts';
import { compress } from '../http/steps/handle.ts';
import { createCors, createWellKnown, securityHeaders } from '../http/web/security.ts';
import { createWebRouter, type WebSite } from '../http/web/web-router.ts';
import { createWorkLimits } from '../http/work-limits.ts';
import type { Container } from './composition/index.ts';

export type App = Express;

/** Paths that are neither operations nor pages of the web application. */
const otherPaths = ['/uploads', '/docs', '/openapi.json', '/.well-known'];

export function createApp(container: Container, site: WebSite = new Map()): App {
  const { config, logger, operations } = container;
  const { defaultLocale, corsOrigins, trustProxy, ratePerMinute, securityContact } = config.http;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', trustProxy);

  app.use(
    plainForwardedFor,
    createRequestInfo(defaultLocale),
    createAccessLog(logger, container.metrics),
    securityHeaders,
  );
  app.use(createCors({ origins: corsOrigins, publicUrl: config.publicUrl, logger }), compress);
  const limits = createGeneralLimits(container.rateLimits, ratePerMinute);
  app.use(
    mount(operations, {
      limits,
      store: container.store,
      tokens: container.tokens,
      personalTokens: container.personalTokens,
      identities: container.identities,
      listCache: container.listCache,
      receiveFile: container.receiveFile,
      idempotency: createIdempotency(container),
      work: createWorkLimits(),
      requireOtp: config.requireOtp,
      publicUrl: config.publicUrl,
    }),
  );
  app.use(otherPaths, limitedBy(limits.files));
  app.use(createImageRouter(container.imageStorage));
  const documentOptions = { serverUrl: config.publicUrl, securityContact, webhooks: deliveryData };
  app.use(createDocsRouter(() => createOpenApiDocument(operations, documentOptions)));
  app.use(createWellKnown({ securityContact, publicUrl: config.publicUrl, clock: container.clock }));
  const { storagePublicUrl } = config.images;
  app.use(
    createWebRouter({
      site,
      reserved: [...routesOfAll(operations).map(({ route }) => route.path), ...otherPaths],
      limit: limits.files,
      meta: signInMeta(config),
      imageOrigin: storagePublicUrl === undefined ? undefined : new URL(storagePublicUrl).origin,
    }),
  );
  app.use(limitedBy(limits.address), routeNotFound);
  app.use(createErrorHandler(logger, container.securityLog));
  return app;
}

/** The sign-in page sends no request before somebody signs in. */
function signInMeta({ siteName, singleSignOn, passwordSignIn }: Config): Record<string, string> {
  return {
    ...(siteName !== undefined && { 'site-name': siteName }),
    ...(singleSignOn !== undefined && { 'single-sign-on': singleSignOn.name ?? '' }),
    ...(!passwordSignIn && { 'password-sign-in': 'off' }),
  };
}

function limitedBy(limit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    await limit(request, response);
    next();
  };
}
