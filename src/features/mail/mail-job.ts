import { z } from 'zod';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';
import { createSmtpTransport } from './smtp-transport.ts';

const mail = z.object({ to: z.string(), subject: z.string(), text: z.string() });
export type Mail = z.infer<typeof mail>;

const minute = 60_000;

/** Somebody waits for a link: these mails precede notices. */
export const mailQueues = ['', 'notices'] as const;
export type MailQueue = (typeof mailQueues)[number];

/** Oldest first. A mail is sent twice only if the process exits between sending it and deleting its job. */
export function createMailKind({ smtpUrl, from }: { smtpUrl: string; from: string }): JobKind<Mail> {
  const transport = createSmtpTransport(smtpUrl);
  return {
    kind: 'mail',
    name: 'send mails to account holders',
    everySeconds: 5,
    queues: mailQueues,
    payload: mail,
    sealed: true, // it contains valid links
    lease: 5 * minute,
    maximumAge: 24 * 60 * minute, // its links have expired
    perRun: 100,
    retryAfter: exponentialBackoff,
    async run({ to, subject, text }) {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      return { done: true };
    },
  };
}
