import { z } from 'zod';
import { email, id, moment, pageQuery, pagination, text, timestamp } from '../../http/fields.ts';

export const contactSubjects = [
  'account_registration',
  'password_reset',
  'technical_support',
  'feature_request',
  'other',
] as const;
export type ContactSubject = (typeof contactSubjects)[number];

/** In the only order in which a request passes through them. */
export const contactStatuses = ['pending', 'reviewed', 'resolved'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** A Chinese mobile number, however it is written; handed on as 11 digits. A blank one is none. */
const phone = z
  .string()
  .max(64)
  .nullish()
  .transform((value, context) => {
    const digits = (value ?? '').replace(/[\s-]/g, '');
    if (digits === '') return null;
    const number = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/.exec(digits)?.[1];
    if (number !== undefined) return number;
    context.addIssue({ code: 'custom', message: 'invalid_phone' });
    return z.NEVER;
  })
  .meta({
    override: { type: ['string', 'null'] },
    description: 'A Chinese mobile number. Spaces, hyphens and the country code are left off.',
    example: '+86 138-0013-8000',
  });

const captchaIdExample = 'q5Zr8wT1kVx0bN3cJ7hM2g';

export const submitBody = z.object({
  name: text({ min: 2, max: 50 }).meta({ example: '林小雨' }),
  email,
  phone,
  subject: z.enum(contactSubjects),
  message: text({ min: 1, max: 1000, multiline: true }).meta({ example: '我想注册一个账号。' }),
  captcha: z
    .string()
    .max(16, { abort: true })
    .overwrite((value) => value.normalize('NFKC').trim()) // an input method may write them in full width
    .regex(/^[A-Za-z0-9]{4}$/, { error: 'captcha_format' })
    .meta({ description: 'What the picture shows; case does not matter.', example: 'K7PW' }),
  captcha_id: z.string().max(64).optional().meta({
    description: 'Of the captcha; needed where the cookie does not travel.',
    example: captchaIdExample,
  }),
});
export type Submission = z.output<typeof submitBody>;

export const captcha = z.object({
  captcha_id: z.string().meta({ example: captchaIdExample }),
  image: z.string().meta({ description: 'The picture as a data URL.', example: 'data:image/png;base64,iVBORw0KGgo=' }),
  expires_in: z.int().meta({ description: 'Seconds.', example: 300 }),
  answer: z.string().optional().meta({ description: 'With CAPTCHA_MODE=reveal only.' }),
});

export const contactRequest = z
  .object({
    id,
    name: z.string().meta({ example: '林小雨' }),
    email: z.string().meta({ example: 'lin@example.org' }),
    phone: z.string().optional().meta({ example: '13800138000' }),
    subject: z.enum(contactSubjects),
    message: z.string().meta({ example: '我想注册一个账号。' }),
    status: z.enum(contactStatuses).meta({ example: 'reviewed' }),
    admin_note: z.string().nullable().meta({ example: 'Account made on Monday.' }),
    ip_address: z.string().meta({ example: '203.0.113.7' }),
    user_agent: z.string().meta({ example: 'Mozilla/5.0' }),
    user_id: id.optional().meta({ description: 'The account that was made or helped in answer, if any.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ContactRequest' });
export type ContactRequest = z.output<typeof contactRequest>;

const filters = {
  status: z
    .enum(['all', ...contactStatuses])
    .default('all')
    .meta({ description: 'Requests in this state.' }),
  subject: z
    .enum(['all', ...contactSubjects])
    .default('all')
    .meta({ description: 'Requests about this.' }),
  search: text({ max: 100 })
    .optional()
    .meta({ description: 'A part of the name, e-mail, phone or message; as it stands, without regard to case.' }),
  email: text({ max: 254 }).optional().meta({ description: 'This e-mail address, without regard to case.' }),
  from: moment.optional().meta({ description: 'Received at this moment or later.' }),
  to: moment.optional().meta({ description: 'Received before this moment.' }),
};
export const inboxFilters = z.object(filters);
export type InboxFilters = z.output<typeof inboxFilters>;

export const inboxQuery = z.object({ ...pageQuery, ...filters });
export type InboxQuery = z.output<typeof inboxQuery>;

export const exportQuery = z.object({
  format: z.enum(['csv']).default('csv').meta({ description: 'Of the file.' }),
  ...filters,
});

export const inboxPage = z.object({
  requests: z.array(contactRequest),
  pagination,
  stats: z.object({ pending: z.int(), reviewed: z.int(), resolved: z.int(), total: z.int() }).meta({
    description: 'Counts over all requests, whatever the filters.',
    example: { pending: 3, reviewed: 1, resolved: 12, total: 16 },
  }),
});

export const advanceBody = z.object({
  status: z.enum(contactStatuses).meta({ example: 'reviewed' }),
  adminNote: text({ max: 1000, multiline: true })
    .nullable()
    .optional()
    .meta({ description: 'Absent keeps the present note; null or "" clears it.', example: 'Account made on Monday.' }),
});
export type Advance = z.output<typeof advanceBody>;

export const advancedRequest = contactRequest.pick({
  id: true,
  name: true,
  email: true,
  status: true,
  admin_note: true,
  updated_at: true,
});
export type AdvancedRequest = z.output<typeof advancedRequest>;
