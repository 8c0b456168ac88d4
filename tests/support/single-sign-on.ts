import type { Response } from 'supertest';
import { cookieOf, ownPage } from './browser.ts';
import type { TestProvider } from './servers/identity-provider.ts';
import type { TestApp } from './test-app.ts';

export type Attempt = { cookie: string; query: string };

/** Begins at the service and comes back from the provider. */
export async function visitProvider(app: TestApp, provider: TestProvider): Promise<Attempt> {
  const begun = await app.anonymous.post('/api/auth/browser/single-sign-on', {}).set(ownPage).expect(200);
  return { cookie: cookieOf(begun), query: await provider.visit(begun.body.data.url) };
}

export function finish(app: TestApp, { cookie, query }: Attempt, fields: object = {}) {
  return app.anonymous
    .post('/api/auth/browser/single-sign-on/finish', { query, ...fields })
    .set({ ...ownPage, Cookie: cookie });
}

export async function signInThrough(provider: TestProvider, app: TestApp, fields: object = {}): Promise<Response> {
  return finish(app, await visitProvider(app, provider), fields);
}
