import type { Test } from 'supertest';
import type { TestApp } from './test-app.ts';

/** Settings that let tests solve captchas and choose their client address. */
export const contactSettings = { CAPTCHA_MODE: 'reveal', CONTACT_FLOOD_PER_MINUTE: '0', TRUST_PROXY: '1' };

export type IssuedCaptcha = { captcha_id: string; answer: string; image: string; expires_in: number };

export async function getCaptcha(app: TestApp): Promise<IssuedCaptcha> {
  const response = await app.anonymous.get('/api/contact/captcha').set('X-Forwarded-For', newAddress()).expect(200);
  return response.body.data;
}

let senders = 0;

/** Valid fields of a new sender. */
export function contactFields<Given extends object>(given: Given) {
  senders += 1;
  return {
    name: 'Lin Xiaoyu',
    email: `sender${senders}@example.org`,
    subject: 'technical_support',
    message: 'The chart of my week is empty since Monday.',
    ...given,
  };
}

let addresses = 0;

/** An address that no test has used before. */
export function newAddress(): string {
  addresses += 1;
  return `198.${18 + Math.floor(addresses / 65_536)}.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;
}

/** Posts the fields unchanged from an address. */
export function post(app: TestApp, fields: object, address = newAddress()): Test {
  return app.anonymous.post('/api/contact/submit', fields).set('X-Forwarded-For', address);
}

/** Submits with a valid captcha; by default valid fields of a new sender from a new address. */
export async function submit(app: TestApp, given: object = {}, address = newAddress()) {
  const { captcha_id, answer } = await getCaptcha(app);
  return post(app, contactFields({ captcha_id, captcha: answer, ...given }), address);
}

/** Runs a background job of the app by its name. */
export async function runJob(app: TestApp, name: string): Promise<void> {
  const job = app.container.jobs.find((candidate) => candidate.name === name);
  if (job === undefined) throw new Error(`there is no job "${name}"`);
  await job.run();
}

/** Runs a job and waits for what it started without awaiting. */
export async function finishJob(app: TestApp, name: string): Promise<void> {
  await runJob(app, name);
  await app.container.jobs.find((candidate) => candidate.name === name)?.stop?.();
}
