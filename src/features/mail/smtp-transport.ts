import { createTransport } from 'nodemailer';

export function createSmtpTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The user name of the mail account, which most servers want to see as the sender, if it is an address. */
export function senderOf(smtpUrl: string): string | undefined {
  const user = decodeURIComponent(new URL(smtpUrl).username);
  return user.includes('@') ? user : undefined;
}
