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

/** `from`, or the user name of the mail account, if it is an address: most servers require it as the sender. */
export function senderOf({ smtpUrl, from }: { smtpUrl: string; from: string | undefined }): string | undefined {
  if (from !== undefined) return from;
  const user = decodeURIComponent(new URL(smtpUrl).username);
  return user.includes('@') ? user : undefined;
}
