import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Everything else is refused: private, loopback, link-local (also of cloud
 * metadata), shared (CGNAT), multicast and reserved ones, and IPv6 forms that carry an IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/** What is assigned of IPv6; without addresses such as `::127.0.0.1`, and without ranges that are defined later. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
