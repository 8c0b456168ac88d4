import { id } from '../../../http/fields.ts';
import type { RateLimit } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { AppError } from '../../../texts/errors.ts';
import { captchaIdOf } from '../captcha/captcha-schemas.ts';
import { submitBody } from './contact-schemas.ts';
import type { SubmissionService } from './submission-service.ts';

export type ContactRoutesOptions = {
  submissions: SubmissionService;
  limit: RateLimit;
};

export function createContactRoutes({ submissions, limit }: ContactRoutesOptions): Operation[] {
  return [
    operation({
      tag: 'Contact',
      access: 'public',
      method: 'post',
      path: '/api/contact/submit',
      id: 'submitContactRequest',
      summary: 'Write to the administrators',
      description:
        'At most five submissions an hour per e-mail address and per IP address, of which one per e-mail address is accepted.',
      body: submitBody,
      extraFields: { requestId: id },
      status: 201,
      message: 'contact_received',
      idempotent: true,
      limit,
      handler: async ({ body, request, store }) => {
        const captchaId = body.captcha_id || captchaIdOf(request); // a form may send it blank
        const from = { address: request.address, user_agent: request.header('user-agent') ?? '' };
        const requestId = await submissions.submit(store, body, captchaId, from);
        if (requestId instanceof AppError) return requestId;
        return { extraFields: { requestId }, location: `/api/admin/contact-requests/${requestId}` };
      },
    }),
  ];
}
