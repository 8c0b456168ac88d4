import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { id } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import type { RequestInfo } from '../../http/request.ts';
import { type CaptchaService, captchaSeconds } from './captcha-service.ts';
import { captcha, submitBody } from './contact-schemas.ts';
import type { SubmissionService } from './submission-service.ts';

export type ContactRoutesOptions = {
  database: Database;
  captchas: CaptchaService;
  submissions: SubmissionService;
  /** Requests a minute for each address, on either operation; 0 is no limit. */
  floodPerMinute: number;
  /** Whether the answer is given along with the captcha, for tests. */
  reveal: boolean;
  corsOrigins: readonly string[];
};

export function createContactRoutes(options: ContactRoutesOptions): Operation[] {
  const { database, captchas, submissions, floodPerMinute, reveal, corsOrigins } = options;
  const base = { tag: 'Contact', access: 'public' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/contact/captcha',
      id: 'getCaptcha',
      summary: 'Get a captcha',
      description:
        'The picture of four characters that a submission must name, valid for five minutes and one try. ' +
        'Which captcha it is stands in a cookie and in the answer. With `Accept: image/*` the picture itself.',
      data: captcha,
      produces: ['image/png'],
      limit: createRateLimit(floodPerMinute),
      handler: async ({ request }) => {
        const issued = await captchas.issue(database, request.address);
        const headers = { 'Set-Cookie': captchaCookie(issued.id, request, corsOrigins), 'Cache-Control': 'no-store' };
        if (/^\s*image\//i.test(request.header('accept') ?? ''))
          return { stream: Readable.from(issued.png), contentType: 'image/png', headers };
        return {
          headers,
          data: {
            captcha_id: issued.id,
            image: `data:image/png;base64,${issued.png.toString('base64')}`,
            expires_in: captchaSeconds,
            ...(reveal && { answer: issued.answer }),
          },
        };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/contact/submit',
      id: 'submitContactRequest',
      summary: 'Write to the administrators',
      description:
        'At most five submissions an hour for an e-mail address and from an IP address, of which one is accepted ' +
        'for the e-mail address.',
      body: submitBody,
      extraFields: { requestId: id },
      status: 201,
      message: 'contact_received',
      idempotent: true,
      limit: createRateLimit(floodPerMinute),
      handler: ({ body, request, once }) =>
        once<undefined>(async (db) => {
          const captchaId = body.captcha_id || cookieOf(request); // a form may send it blank
          const from = { address: request.address, user_agent: request.header('user-agent') ?? '' };
          const requestId = await submissions.submit(db, body, captchaId, from);
          return { extraFields: { requestId }, location: `/api/admin/contact-requests/${requestId}` };
        }),
    }),
  ];
}

/** Front ends on other sites get their cookie back only when it says so, which browsers allow over https alone. */
function captchaCookie(captchaId: string, request: RequestInfo, corsOrigins: readonly string[]): string {
  const abroad = corsOrigins.includes(request.header('origin') ?? '');
  const site = abroad ? 'SameSite=None; Secure' : 'SameSite=Lax';
  return `captcha_id=${captchaId}; Max-Age=${captchaSeconds}; Path=/api/contact; HttpOnly; ${site}`;
}

function cookieOf(request: RequestInfo): string | undefined {
  return /(?:^|;\s*)captcha_id=([^;\s]+)/.exec(request.header('cookie') ?? '')?.[1];
}
