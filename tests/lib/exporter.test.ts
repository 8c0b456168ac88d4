import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createExporter, type ExporterOptions, type WriteExport } from '../../src/lib/export/exporter.ts';
import { createLogger } from '../../src/lib/log/logger.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exporter-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (options: Partial<ExporterOptions> = {}) =>
  createExporter({ folder, logger: createLogger('silent'), ...options });
const noAbort = () => new AbortController().signal;

const line = (number: number) => `${String(number).padStart(9, '0')}\n`.repeat(1_000);
/** `count` times 10 kB. */
const linesOf =
  (count: number): WriteExport =>
  async (write) => {
    for (let number = 0; number < count; number += 1) await write(line(number));
  };
const expected = (count: number) => Buffer.from(Array.from({ length: count }, (_, number) => line(number)).join(''));
const openFiles = async () => {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder)).length;
};

describe('the written data arrives', () => {
  test.each([0, 1, 20, 27, 500])('%i times 10 kB, complete and in order', async (count) => {
    const stream = await open().run('user 1', linesOf(count), noAbort());
    expect((await buffer(stream)).equals(expected(count))).toBe(true);
    await expect.poll(openFiles).toBe(0);
  });

  test('while it is still being written, and the writer does not wait for the reader', async () => {
    let written = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stream = await open().run(
      'user 1',
      async (write) => {
        for (; written < 100; written += 1) await write(line(written));
        await released;
        for (; written < 200; written += 1) await write(line(written));
      },
      noAbort(),
    );
    await expect.poll(() => written).toBe(100); // nothing has been read
    const arrived = buffer(stream);
    await delay(50);
    release();
    expect((await arrived).equals(expected(200))).toBe(true);
  });

  test('the file on disk has no name by which it can be opened', async () => {
    const stream = await open().run('user 1', linesOf(500), noAbort());
    expect(await readdir(folder)).toEqual([]);
    expect(await openFiles()).toBe(1);
    stream.destroy();
    await expect.poll(openFiles).toBe(0);
  });
});

describe('failures', () => {
  test('before the first bytes reject the call', async () => {
    const fail: WriteExport = async (write) => {
      await write('head');
      throw new Error('the query failed');
    };
    const exporter = open();
    await expect(exporter.run('user 1', fail, noAbort())).rejects.toThrow('the query failed');
    expect(exporter.callers()).toBe(0);
  });

  test('after the first bytes end the stream with an error', async () => {
    const fail: WriteExport = async (write) => {
      await linesOf(100)(write);
      throw new Error('the query failed');
    };
    const stream = await open().run('user 1', fail, noAbort());
    await expect(buffer(stream)).rejects.toThrow('the query failed');
    await expect.poll(openFiles).toBe(0);
  });
});

describe('clients', () => {
  const endless: WriteExport = async (write) => {
    for (let number = 0; ; number += 1) {
      await write(line(number));
      await delay(1);
    }
  };

  test('that disconnect stop the work, before and after its first bytes', async () => {
    const exporter = open();
    const early = new AbortController();
    const waiting = exporter.run(
      'user 1',
      async (write) => {
        await delay(20);
        await endless(write);
      },
      early.signal,
    );
    early.abort();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    const late = new AbortController();
    const stream = await exporter.run('user 1', endless, late.signal);
    stream.on('error', () => undefined);
    late.abort();
    await expect.poll(exporter.callers).toBe(0);
    await expect.poll(openFiles).toBe(0);
  });

  describe('and timeouts', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    test('stored exports have the same limits', async () => {
      async function* stored() {
        for (let part = 0; part < 3; part += 1) yield expected(100);
      }
      const exporter = open({ idleSeconds: 10 });
      const slow: Buffer[] = [];
      for await (const part of exporter.send('user 1', stored(), noAbort())) {
        slow.push(part);
        vi.advanceTimersByTime(9_999);
      }
      expect(slow.length).toBeGreaterThan(30);
      expect(Buffer.concat(slow).length).toBe(3_000_000);

      const idle = [1, 2, 3].map(() => exporter.send('user 1', stored(), noAbort()));
      expect(() => exporter.send('user 1', stored(), noAbort())).toThrow(expect.objectContaining({ status: 429 }));
      await expect(exporter.run('user 1', linesOf(1), noAbort())).rejects.toMatchObject({ status: 429 });
      const failures = idle.map(failureOf);
      for (const stream of idle) await once(stream, 'readable'); // reads a first part only
      vi.advanceTimersByTime(10_000);
      for (const failure of failures) await expect(failure).resolves.toMatchObject({ status: 503 });
      const disconnect = new AbortController();
      const aborted = failureOf(exporter.send('user 1', stored(), disconnect.signal));
      disconnect.abort();
      await aborted;
      await expect.poll(exporter.callers).toBe(0);
    });

    test.each([
      ['stop reading', { idleSeconds: 10 }],
      ['take too long in total', { totalSeconds: 10 }],
    ])('that %s are disconnected', async (_what, options) => {
      const stream = await open(options).run('user 1', linesOf(500), noAbort());
      const failure = failureOf(stream);
      await once(stream, 'readable'); // reads a first part only
      vi.advanceTimersByTime(9_999);
      expect(stream.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      await expect(failure).resolves.toMatchObject({ status: 503 });
      await expect.poll(openFiles).toBe(0);
    });

    test('that read slowly are not disconnected', async () => {
      let isWritten = false;
      const whole: WriteExport = async (write) => {
        await linesOf(100)(write);
        isWritten = true;
      };
      const stream = await open({ idleSeconds: 10 }).run('user 1', whole, noAbort());
      await expect.poll(() => isWritten).toBe(true); // parts are then of full length
      const parts: Buffer[] = [];
      for await (const part of stream) {
        parts.push(part);
        vi.advanceTimersByTime(9_999);
      }
      expect(parts.length).toBeGreaterThan(10);
      expect(Buffer.concat(parts).equals(expected(100))).toBe(true);
    });

    test('that wait for rows are not disconnected', async () => {
      let arrived = 0;
      const late: WriteExport = async (write) => {
        for (let number = 0; number < 60; number += 1) {
          await write(line(number));
          if (number !== 50) continue;
          await expect.poll(() => arrived).toBe(51 * line(0).length);
          vi.advanceTimersByTime(60_000);
        }
      };
      const stream = await open({ idleSeconds: 10 }).run('user 1', late, noAbort());
      stream.on('data', (part: Buffer) => {
        arrived += part.length;
      });
      expect((await buffer(stream)).equals(expected(60))).toBe(true);
    });
  });

  test('that read nothing delay nobody: their rows are written, and only their own next export is rejected', async () => {
    const exporter = open();
    const idle: Readable[] = [];
    for (let user = 1; user <= 10; user += 1)
      for (let number = 0; number < 3; number += 1)
        idle.push(await exporter.run(`user ${user}`, linesOf(50), noAbort()));
    const other = await exporter.run('user 11', linesOf(50), noAbort());
    expect((await buffer(other)).length).toBe(500_000);
    await expect(exporter.run('user 1', linesOf(1), noAbort())).rejects.toMatchObject({ status: 429 });
    idle[0]?.destroy();
    await new Promise((resolve) => idle[0]?.once('close', resolve));
    await buffer(await exporter.run('user 1', linesOf(1), noAbort()));
    for (const stream of idle) stream.destroy();
    await expect.poll(exporter.callers).toBe(0);
  });
});

function failureOf(stream: Readable): Promise<unknown> {
  return new Promise((resolve) => void stream.once('error', resolve));
}

describe('an export that is larger than its limit on the disk', () => {
  test('arrives complete and in order, and the writer is never further ahead than the limit', async () => {
    const fileBytes = 700_001; // parts end within writes
    let written = 0;
    let arrived = 0;
    let ahead = 0;
    const stream = await open({ fileBytes }).run(
      'user 1',
      async (write) => {
        for (let number = 0; number < 1_000; number += 1) {
          await write(line(number));
          written += 10_000;
          ahead = Math.max(ahead, written - arrived);
        }
      },
      noAbort(),
    );
    const parts: Buffer[] = [];
    for await (const part of stream) {
      parts.push(part);
      arrived += part.length;
    }
    expect(Buffer.concat(parts).equals(expected(1_000))).toBe(true);
    // What the stream and the writer's memory hold comes on top.
    expect(ahead).toBeLessThan(fileBytes + 500_000);
    await expect.poll(openFiles).toBe(0);
  });

  test('ends with its reader, also while the writer waits for it', async () => {
    let written = 0;
    const exporter = open({ fileBytes: 300_000 });
    const stream = await exporter.run(
      'user 1',
      async (write) => {
        for (; written < 1_000; written += 1) await write(line(written));
      },
      noAbort(),
    );
    stream.on('error', () => undefined);
    await expect.poll(() => written).toBeGreaterThan(25);
    stream.destroy();
    await expect.poll(openFiles).toBe(0);
    expect(written).toBeLessThan(1_000);
    await expect(buffer(await exporter.run('user 1', linesOf(1), noAbort()))).resolves.toEqual(expected(1));
  });
});
