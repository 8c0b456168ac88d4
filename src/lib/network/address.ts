import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import ipaddr from 'ipaddr.js';

/** The key of a client for limits: unwraps IPv4-mapped addresses and cuts IPv6 to the /64 of a subscriber. */
export function normaliseAddress(address: string): string {
  return ipKeyGenerator(address.replace(/%.*/, ''), 64);
}

/** One spelling of a valid address: lower case, short, without the zone index of IPv6; IPv4-mapped addresses as IPv4. */
export function plainAddress(address: string): string {
  return isIP(address) === 4 ? address : ipaddr.process(address.replace(/%.*/, '')).toString();
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** False for private, loopback, link-local, shared, multicast and reserved addresses, and for IPv6 forms of IPv4 addresses. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/** Excludes addresses such as `::127.0.0.1`, and ranges that are not assigned yet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** A count larger than the real one trusts addresses that clients have written themselves. */
const maxHops = 5;

/** By IP version: 10.0.0.0/8 is the largest private IPv4 network. */
const minPrefix = { 4: 8, 6: 16 };

export type TrustedProxies = number | string[];

/** Throws an Error for the operator, also for a network that would include clients. */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (/^\d+$/.test(text)) {
    if (Number(text) > maxHops)
      throw new Error(`the number of hops must be at most ${maxHops}; list the addresses of the proxies instead`);
    return Number(text);
  }
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  for (const network of networks) checkNetwork(network);
  return networks;
}

/** A pasted address without its user name and password, for messages. */
export const withoutAccount = (text: string): string => text.replace(/\/\/.*@/s, '//…@');

function checkNetwork(network: string): void {
  const [address = '', prefix, ...rest] = network.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if ((version !== 4 && version !== 6) || rest.length > 0 || length < 0 || length > bits)
    throw new Error(`"${withoutAccount(network)}" is not a number of hops, an address or a CIDR such as 10.0.0.0/8`);
  const canonical = version === 6 ? new URL(`http://[${address}]`).hostname : address;
  if (canonical.startsWith('[::ffff:')) throw new Error(`"${network}" is an IPv4-mapped address; write it as IPv4`);
  const isPrivate = /^\[f[cd]/.test(canonical) && length >= 7; // fc00::/7
  if (length < minPrefix[version] && !isPrivate)
    throw new Error(`"${network}" would trust clients as proxies; the prefix must be at least /${minPrefix[version]}`);
}
