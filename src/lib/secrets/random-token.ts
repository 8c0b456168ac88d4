import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 bits, as 43 characters of base64url: for links, cookies and tokens. */
export const createRandomToken = (): string => randomBytes(32).toString('base64url');

/** What is stored instead of a random token. Not keyed, so that tokens outlive the secrets of the service. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
