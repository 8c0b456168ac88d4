import { randomBytes } from 'node:crypto';

export const oneTimePasswordDays = 7;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // 32 characters that are not easily confused

/** 80 random bits, easy to read out and to type. */
export function createOneTimePassword(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('');
}
