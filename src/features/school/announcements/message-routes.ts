import { type Operation, operation } from '../../../http/operation.ts';
import { messageBody, sentMessage } from './message-schemas.ts';
import { createMessageService, type MessageServiceOptions } from './message-service.ts';

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
