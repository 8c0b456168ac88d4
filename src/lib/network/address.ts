import { ipKeyGenerator } from 'express-rate-limit';

/** The key of a client for limits: unwraps IPv4-mapped addresses and cuts IPv6 to the /64 of a subscriber. */
export function normaliseAddress(address: string): string {
  return ipKeyGenerator(address.replace(/%.*/, ''), 64);
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
