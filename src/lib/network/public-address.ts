import ipaddr from 'ipaddr.js';

/** False for private, loopback, link-local, shared, multicast and reserved addresses, and for IPv6 forms of IPv4 addresses. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/** Excludes addresses such as `::127.0.0.1`, and ranges that are not assigned yet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
