import { z } from 'zod';
import { linkToken } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { EmailChangeService } from './email-change-service.ts';

const confirmEmailBody = z.object({
  token: linkToken('From the link in the mail.'),
});

export function createEmailChangeRoutes({ emailChanges }: { emailChanges: EmailChangeService }): Operation[] {
  return [
    operation({
      tag: 'Sign-in',
      method: 'post',
      path: '/api/auth/email/confirm',
      id: 'confirmEmail',
      summary: 'Confirm a new e-mail address',
      description: 'Takes the token of the mailed link, which can be used once, within 24 hours.',
      access: 'public',
      body: confirmEmailBody,
      message: 'email_confirmed',
      errors: ['CONFLICT'],
      handler: async ({ body, request }) => {
        await emailChanges.confirm(body.token, request.locale);
        return {};
      },
    }),
  ];
}
