import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createResolver } from '../../src/lib/network/resolver.ts';

const typeA = 1;

/** A name server that knows `school.example`, and does not answer queries for names that begin with `silent`. Returns its address. */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const end = query.indexOf(0, 12) + 5; // name, type and class
    const name = query.toString('latin1', 13, query.indexOf(0, 12));
    if (name.startsWith('silent')) return;
    const isKnown = name.startsWith('school');
    const isAnswered = isKnown && query.readUInt16BE(end - 4) === typeA;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2); // no error, or no such name
    header.writeUInt16BE(isAnswered ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const answer = isAnswered ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34] : [];
    socket.send(Buffer.concat([header, query.subarray(12, end), Buffer.from(answer)]), client.port, client.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test('names without an answer delay no other name, and end by themselves', async () => {
  const resolve = createResolver({ withHostsFile: false, servers: [await startNameServer()] });
  let ended = 0;
  const silent = Array.from({ length: 100 }, (_, index) =>
    resolve(`silent${index}.example`).catch((error: { code: string }) => {
      ended += 1;
      return error.code;
    }),
  );
  expect(await resolve('school.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(ended).toBe(0);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
});

test('names of the hosts file are found only where they are allowed', async () => {
  const servers = [await startNameServer()];
  expect((await createResolver({ withHostsFile: true, servers })('localhost')).length).toBeGreaterThan(0);
  await expect(createResolver({ withHostsFile: false, servers })('unknown.example')).rejects.toMatchObject({
    code: 'ENOTFOUND',
  });
});
