import { z } from 'zod';
import { type Operation, operation } from '../../http/operation.ts';
import type { EmailChangeService } from './email-change-service.ts';

const confirmEmailBody = z.object({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: 'From the link in the mail.', example: 'pUq4c1vTn0xgYv3mB7k2dQ' }),
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
