import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = Email & { recipients: string[] };
/** `introduced`: by which names clients have greeted it. */
export type TestSmtpServer = { port: number; mails: ReceivedMail[]; introduced: string[]; stop(): Promise<void> };

/** A mail server that accepts everything, or rejects every recipient; on a free port unless one is given. */
export async function startSmtpServer({ port = 0, refuse = false } = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const introduced: string[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === 'secret' ? callback(null, { user: username ?? '' }) : callback(new Error('wrong password')),
    onMailFrom: (_address, session, callback) => {
      introduced.push(session.hostNameAppearsAs);
      callback();
    },
    onRcptTo: (_address, _session, callback) => callback(refuse ? new Error('no such mailbox') : null),
    onData: (stream, session, callback) => {
      buffer(stream)
        .then(async (raw) => {
          const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
          mails.push({ ...(await PostalMime.parse(raw)), recipients });
          callback();
        })
        .catch(callback);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    introduced,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
