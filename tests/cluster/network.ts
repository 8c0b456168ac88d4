import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { command } from './programs.ts';

/**
 * Addresses for the machines of a cluster. As root on Linux, each database server has its own network namespace behind a
 * bridge and can be disconnected; otherwise all have loopback addresses and the network cannot be cut.
 */
export type Network = ReturnType<typeof createNetwork>;

const own = [1, 2, 11, 12, 13];

export function createNetwork(machines: readonly number[]) {
  const id = `st${createHash('sha256').update(`${process.pid} ${Date.now()}`).digest('hex').slice(0, 5)}`;
  const net = 1 + (Number.parseInt(id.slice(2), 16) % 250);
  try {
    return isolated(id, `10.213.${net}`, machines);
  } catch (error) {
    process.stdout.write(`no network namespaces: ${error instanceof Error ? error.message : error}\n`);
    return { prefix: `127.213.${net}`, namespaceOf: (_machine: number) => undefined, cable: undefined };
  }
}

function isolated(id: string, prefix: string, machines: readonly number[]) {
  const ip = (text: string) => command(['ip', ...text.split(' ')]);
  const hub = `${id}sw`;
  const spaces = [hub, ...machines.map((machine) => `${id}m${machine}`)];
  ip(`netns add ${hub}`);
  onTestFinished(() => {
    for (const space of spaces) ignoreErrors(() => ip(`netns del ${space}`));
    ignoreErrors(() => ip(`link del ${id}`));
  });
  ip(`-n ${hub} link add hub type bridge`);
  ip(`-n ${hub} link set hub up`);
  ip(`link add ${id} type veth peer name outside netns ${hub}`);
  ip(`-n ${hub} link set outside master hub`);
  ip(`-n ${hub} link set outside up`);
  for (const address of own) ip(`addr add ${prefix}.${address}/24 dev ${id}`);
  ip(`link set ${id} up`);
  for (const machine of machines) {
    const space = `${id}m${machine}`;
    ip(`netns add ${space}`);
    ip(`-n ${hub} link add m${machine} type veth peer name cable netns ${space}`);
    ip(`-n ${hub} link set m${machine} master hub`);
    ip(`-n ${hub} link set m${machine} up`);
    ip(`-n ${space} addr add ${prefix}.${machine}/24 dev cable`);
    ip(`-n ${space} link set cable up`);
    ip(`-n ${space} link set lo up`);
  }
  return {
    prefix,
    namespaceOf: (machine: number) => `${id}m${machine}`,
    cable: {
      pull: (machine: number) => ip(`-n ${hub} link set m${machine} down`),
      plug: (machine: number) => ip(`-n ${hub} link set m${machine} up`),
    },
  };
}

/** Ignores what does not exist. */
function ignoreErrors(remove: () => void): void {
  try {
    remove();
  } catch {}
}
