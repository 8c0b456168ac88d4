import { ipKeyGenerator } from 'express-rate-limit';

/**
 * The caller behind an address, for counting: IPv4-mapped addresses unwrapped, and IPv6 cut to its /64, which is what
 * one subscriber is given. Anything that is no address counts as itself.
 */
export function normaliseAddress(address: string): string {
  return ipKeyGenerator(address.replace(/%.*/, ''), 64);
}

/** The host of a URL as it is connected to: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
