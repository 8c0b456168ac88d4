import { type Locale, type Message, translate } from '../../messages/index.ts';
import type { MailedRequest } from './contact-mail-repository.ts';

export type ContactMail = { subject: string; text: string; replyTo?: string };

const maxShown = 50;

/** The mail about one new request, with its sender as Reply-To, or about several. */
export function composeMail(requests: readonly MailedRequest[], locale: Locale): ContactMail {
  const localized = (message: Message) => translate(message, locale);
  const title = (request: MailedRequest) => localized({ key: `subject_${request.subject}` });
  const entries = requests.slice(0, maxShown).map((request) =>
    localized({
      key: 'mail_entry',
      params: {
        id: request.id,
        subject: title(request),
        at: request.created_at,
        name: request.name,
        email: request.email,
        phone: request.phone ?? '-',
        message: request.message,
      },
    }),
  );
  const more = requests.length - entries.length;
  if (more > 0) entries.push(localized({ key: 'mail_more', params: { count: more } }));
  const text = `${entries.join(`\n\n${'-'.repeat(40)}\n\n`)}\n`;

  const [only] = requests;
  return only !== undefined && requests.length === 1
    ? {
        subject: localized({ key: 'mail_one', params: { id: only.id, subject: title(only) } }),
        text,
        replyTo: only.email,
      }
    : { subject: localized({ key: 'mail_many', params: { count: requests.length } }), text };
}
