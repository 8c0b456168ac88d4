import { z } from 'zod';
import { email, text } from '../../../http/fields.ts';
import { captchaFields } from '../captcha/captcha-schemas.ts';

export const contactSubjects = [
  'account_registration',
  'password_reset',
  'technical_support',
  'feature_request',
  'other',
] as const;
export type ContactSubject = (typeof contactSubjects)[number];

/** In the order in which a request passes through them. */
export const contactStatuses = ['pending', 'reviewed', 'resolved'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** A Chinese mobile number in any notation; parsed to 11 digits. A blank one is null. */
const phone = z
  .string()
  .max(64)
  .nullish()
  .transform((value, context) => {
    const digits = (value ?? '').normalize('NFKC').replace(/[\s()-]/g, '');
    if (digits === '') return null;
    const number = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/.exec(digits)?.[1];
    if (number !== undefined) return number;
    context.addIssue({ code: 'custom', message: 'invalid_phone' });
    return z.NEVER;
  })
  .meta({
    override: { type: ['string', 'null'], maxLength: 64 },
    description: 'A Chinese mobile number. Spaces, hyphens, parentheses and the country code are removed.',
    example: '+86 138-0013-8000',
  });

export const contactSubject = z.enum(contactSubjects).meta({ id: 'ContactSubject' });

export const submitBody = z.object({
  name: text({ min: 2, max: 50 }).meta({ example: '林小雨' }),
  email,
  phone,
  subject: contactSubject,
  message: text({ min: 1, max: 1000, multiline: true }).meta({ example: '我想注册一个账号。' }),
  ...captchaFields,
});
export type Submission = z.output<typeof submitBody>;
