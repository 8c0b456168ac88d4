import { z } from 'zod';
import { id, text } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { createMessageService, type MessageServiceOptions, maxRecipients } from './message-service.ts';

const messageBody = z
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

const sentMessage = z.object({
  sent_count: z.int().meta({ description: 'The number of queued mails.', example: 2 }),
  skipped_user_ids: z
    .array(id)
    .meta({ description: 'Users who are inactive, deleted or unknown, and get no mail.', example: [12] }),
});

export function createMessageRoutes(options: MessageServiceOptions): Operation[] {
  const messages = createMessageService(options);
  return [
    operation({
      tag: 'Users',
      access: 'admin',
      scoped: true,
      method: 'post',
      path: '/api/admin/messages',
      id: 'sendMessage',
      summary: 'Write to users by mail',
      description:
        'One mail for each user, which names none of the others, with a salutation in their language. Replies go to the sender. ' +
        'Needs a mail server; at most fifty messages a day.',
      body: messageBody,
      data: sentMessage,
      message: 'message_sent',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: async ({ actor, body, store }) => ({ data: await messages.send(store, actor, body) }),
    }),
  ];
}
