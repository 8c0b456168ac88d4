import sharp from 'sharp';
import { fileForm, type Message } from './http.ts';

type Records = { project: number; rows: number; from: Date; stepSeconds: number; note?: string };

/** A CSV file for the import, with a record every `stepSeconds`. */
export function recordsFile({ project, rows, from, stepSeconds, note = '' }: Records): string {
  const line = (_: unknown, n: number) => {
    const start = from.getTime() + n * stepSeconds * 1000;
    const times = [start, start + stepSeconds * 500].map((time) => new Date(time).toISOString());
    return `${project},${times.join(',')},${note}\n`;
  };
  return `project_id,started_at,ended_at,note\n${Array.from({ length: rows }, line).join('')}`;
}

export function importOf(file: string | Buffer): Message {
  const form = fileForm('file', 'records.csv', Buffer.from(file), { dry_run: 'false' });
  return { method: 'POST', path: '/api/sessions/import', ...form };
}

export function uploadOf(project: number, file: Buffer): Message {
  return { method: 'POST', path: `/api/projects/${project}/image`, ...fileForm('image', 'cover', file) };
}

export function smallPicture(): Promise<Buffer> {
  const background = { r: 40, g: 90, b: 160 };
  return sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A WebP animation of frames of one pixel: about 50 bytes each. */
export async function webpOf(frames: number): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'black' } });
  const image = (await pixel.webp({ lossless: true }).toBuffer()).subarray(12);
  const frame = chunk('ANMF', Buffer.concat([Buffer.from(`${'00'.repeat(12)}0a000000`, 'hex'), image]));
  const body = [
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from('02'.padEnd(20, '0'), 'hex')),
    chunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ];
  return chunk('RIFF', Buffer.concat(body));
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
