import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSender } from '../../../../src/features/operations/outgoing-requests/sender.ts';
import { isPublicAddress } from '../../../../src/lib/network/address.ts';

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}
const post = (url: URL, options: Partial<Parameters<typeof createSender>[0]> = {}) =>
  createSender({ anyTarget: true, ...options }).post(url, { 'content-type': 'application/json' }, '{}');

describe('addresses that webhooks may be sent to', () => {
  test.each([
    ...['93.184.216.34', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1'],
    ...['2606:4700:4700::1111', '2001:4860:4860::8888'],
  ])('%s: allowed', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.9.9',
    ],
    ...['192.168.1.1', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
    ...['203.0.113.7', '224.0.0.1', '239.1.2.3', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '64:ff9b::7f00:1'],
    ...['64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:db8::1', '2001:10::1'],
    ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '100::1', '3fff::1', '5f00::1'],
    ...['not an address', '', '127.1.1'],
  ])('%s: rejected', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    ...['http://example.org/', 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://017700000001/'],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://169.254.169.254/latest/meta-data', 'https://127.1/'],
    ...['https://0/', 'https://[fd00::1]:8443/', 'https://10.1.2.3:5432/', 'https://１２７.0.0.1/'],
  ])('%s: rejected without resolving a name', async (text) => {
    const sender = createSender({ anyTarget: false, resolve: () => Promise.reject(new Error('asked')) });
    const url = new URL(text);
    expect(sender.isAllowed(url)).toBe(false);
    await expect(sender.post(url, {}, '{}')).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  });

  test('a name is rejected if any of its addresses is; an unknown name is allowed, as it may be resolvable later', async () => {
    const resolve = async (hostname: string) => {
      if (hostname === 'unknown.example') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      const addresses = hostname === 'mixed.example' ? ['93.184.216.34', '10.0.0.1'] : ['93.184.216.34'];
      return addresses.map((address) => ({ address, family: 4 }));
    };
    const sender = createSender({ anyTarget: false, resolve });
    expect(await sender.resolvesToPublic(new URL('https://mixed.example/'))).toBe(false);
    expect(await sender.resolvesToPublic(new URL('https://good.example/'))).toBe(true);
    expect(await sender.resolvesToPublic(new URL('https://unknown.example/'))).toBe(true);
    await expect(sender.post(new URL('https://mixed.example/'), {}, '{}')).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    });
    await expect(sender.post(new URL('https://unknown.example/'), {}, '{}')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  test('DNS rebinding between check and connection does not reach an internal address', async () => {
    let reached = 0;
    const { port } = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    const answers = ['93.184.216.34', '127.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    const sender = createSender({ anyTarget: false, resolve });
    const url = new URL(`https://rebinding.example:${port}/`);
    expect(await sender.resolvesToPublic(url)).toBe(true);
    await expect(sender.post(url, {}, '{}')).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(reached).toBe(0);
  });

  test('connects to the address that was resolved and checked', async () => {
    let host = '';
    const { port } = await serve((request, response) => {
      host = request.headers.host ?? '';
      response.end();
    });
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    await post(new URL(`http://pinned.example:${port}/`), { resolve });
    expect([lookups, host]).toEqual([1, `pinned.example:${port}`]);
  });
});

describe('an attempt', () => {
  test('follows no redirect', async () => {
    let reached = 0;
    const target = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serve((_, response) => response.writeHead(status, { location: target.href }).end());
      await expect(post(url)).rejects.toMatchObject({ code: 'REDIRECT', status });
    }
    expect(reached).toBe(0);
  });

  test('stores only the beginning of a response, and does not read an endless one', async () => {
    const url = await serve((_, response) => {
      const write = () => {
        while (response.write('answer\u0000\u0007 '.repeat(100)));
      };
      response.on('drain', write);
      write();
    });
    const { status, text } = await post(url);
    expect(status).toBe(200);
    expect([...text]).toHaveLength(300);
    expect(text.startsWith('answer  answer')).toBe(true);
  });

  test('times out, even for an incomplete response', async () => {
    const silent = await serve(() => undefined);
    await expect(post(silent, { timeout: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const dripping = await serve((_, response) => void response.writeHead(200).write('.'));
    await expect(post(dripping, { timeout: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('reports the response of the receiver, or why there is none', async () => {
    const url = await serve((_, response) => response.writeHead(503).end('come back later'));
    await expect(post(url)).rejects.toMatchObject({ code: 'HTTP_503', status: 503, text: 'come back later' });
    await expect(post(new URL('http://127.0.0.1:1/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
