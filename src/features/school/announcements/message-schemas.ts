import { z } from 'zod';
import { id, text } from '../../../http/fields.ts';

const maxRecipients = 500;

export const messageBody = z
  .object({
    user_ids: z
      .array(id)
      .min(1, { error: 'required' })
      .max(maxRecipients)
      .meta({ description: `The recipients; at most ${maxRecipients}. Duplicates get one mail.` }),
    subject: text({ min: 1, max: 120 }),
    text: text({ min: 1, max: 2000, multiline: true }),
  })
  .meta({ example: { user_ids: [7, 9], subject: 'Piano on Friday', text: 'Please bring your exercise book.' } });

export type NewMessage = z.output<typeof messageBody>;

export const sentMessage = z.object({
  sent_count: z.int().meta({ description: 'The number of queued mails.', example: 2 }),
  skipped_user_ids: z
    .array(id)
    .meta({ description: 'Users who are inactive, deleted or unknown, and get no mail.', example: [12] }),
});
