import { email as emailField } from '../../../http/fields.ts';
import type { Identity } from './identity-provider.ts';

/** Only ASCII: other characters may look the same, or become the same in lower case. */
export function usableEmail(given: string | undefined): string | undefined {
  return given !== undefined && /^[\x21-\x7e]+$/.test(given) ? emailField.safeParse(given).data : undefined;
}

/** From the provider's user name, or, if that has other characters than usernames here, from the address. */
export function nameFor({ username }: Identity, email: string): string {
  const candidates = [username ?? '', email].map((text) => text.replace(/@.*$/, ''));
  const isUsable = (name: string) => /^[\x21-\x7e ]+$/.test(name) && readableName(name).length >= 3;
  const wanted = readableName(candidates.find(isUsable) ?? email);
  return wanted.length < 3 || /^deleted-/i.test(wanted) ? `user-${wanted.slice(0, 20)}` : wanted;
}

const readableName = (text: string): string =>
  text
    .replace(/@.*$/, '')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 32);
