import type { Response } from 'supertest';
import type { Account } from './accounts.ts';
import type { TestApp } from './test-app.ts';

export const ownPage = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };

type Operation = 'sign-in' | 'refresh' | 'sign-out';

/** A request from one of the service's own pages, with its cookie. */
export function fromPage(app: TestApp, operation: Operation, cookie = '', headers: Record<string, string> = ownPage) {
  return app.anonymous
    .post(`/api/auth/browser/${operation}`)
    .unset('Sec-Fetch-Site')
    .set(headers)
    .set('Cookie', cookie);
}

export function signInOnPage(app: TestApp, { username, password }: Account, fields: object = {}, cookie = '') {
  return fromPage(app, 'sign-in', cookie).send({ username, password, ...fields });
}

/** The `Set-Cookie` header of a response. */
export function setCookie(response: Response): string {
  return String(response.headers['set-cookie']);
}

/** The `Cookie` header that the browser then sends. */
export function cookieOf(response: Response): string {
  return setCookie(response).split(';', 1)[0] ?? '';
}
