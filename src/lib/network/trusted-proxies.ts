import { isIP } from 'node:net';

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

function checkNetwork(network: string): void {
  const [address = '', prefix, ...rest] = network.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if ((version !== 4 && version !== 6) || rest.length > 0 || length < 0 || length > bits)
    throw new Error(`"${network}" is not a number of hops, an address or a CIDR such as 10.0.0.0/8`);
  const canonical = version === 6 ? new URL(`http://[${address}]`).hostname : address;
  if (canonical.startsWith('[::ffff:')) throw new Error(`"${network}" is an IPv4-mapped address; write it as IPv4`);
  const isPrivate = /^\[f[cd]/.test(canonical) && length >= 7; // fc00::/7
  if (length < minPrefix[version] && !isPrivate)
    throw new Error(`"${network}" would trust clients as proxies; the prefix must be at least /${minPrefix[version]}`);
}
