import { lookup, Resolver } from 'node:dns/promises';

export type Address = { address: string; family: number };

type ResolverOptions = {
  /** Also finds names of the hosts file and of the system's search domains. */
  withHostsFile: boolean;
  /** Name servers (`address:port`) instead of the system's. */
  servers?: readonly string[];
};

/**
 * Finds the addresses of names that users choose. `dns.lookup` has two threads for all names of the process: twenty names whose name
 * server does not answer would hold single sign-on and object storage for minutes. DNS queries need no thread. Rejects with the
 * error of the query (`ENOTFOUND`, `ETIMEOUT`, …).
 */
export function createResolver({ withHostsFile, servers }: ResolverOptions) {
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);

  return async (hostname: string): Promise<Address[]> => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0 || v4.status === 'fulfilled') return addresses;
    const { code } = v4.reason as { code?: string };
    if (withHostsFile && code !== 'ETIMEOUT') return lookup(hostname, { all: true });
    throw v4.reason;
  };
}
