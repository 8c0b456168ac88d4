import { email as emailField } from '../../../http/fields.ts';
import type { Identity } from './identity-provider.ts';

/** Only ASCII: other characters may look the same, or become the same in lower case. */
export function usableEmail(given: string | undefined): string | undefined {
  return given !== undefined && /^[\x21-\x7e]+$/.test(given) ? emailField.safeParse(given).data : undefined;
}

/** From the provider's user name, or, if that has other characters than usernames here, from the address. */
export function nameFor({ username }: Identity, email: string): string {
  const candidates = [username ?? '', email].map(localName);
  const isUsable = (name: string) => /^[A-Za-z0-9_. '-]+$/.test(name) && readableName(name).length >= 3;
  const wanted = readableName(candidates.find(isUsable) ?? localName(email));
  return wanted.length < 3 || /^deleted-/i.test(wanted) ? `user-${wanted.slice(0, 20)}` : wanted;
}

/** Without the domain before a backslash, as Windows has it, or after an at sign. */
const localName = (text: string): string => text.replace(/^.*\\/s, '').replace(/@.*$/s, '').trim();

const readableName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .replace(/^[_.-]+/, '')
    .slice(0, 32)
    .replace(/[_.-]+$/, '');
