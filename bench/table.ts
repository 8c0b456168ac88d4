import type { Result } from './measure.ts';
import type { Measured } from './operations.ts';

/** CPU time per request in milliseconds, in the server and in the database. */
export type Work = { server: number; database: number };

/** The measurements of an operation; `ratio` is the service's rate divided by the floor's. */
export type Line = {
  operation: Measured;
  connections: number;
  service: Result & Work;
  same: Result & { ratio: number };
  minimal: Result & Work & { ratio: number };
  fixed: number;
  delay: number;
};

const columns: readonly [name: string, value: (line: Line) => string | number][] = [
  ['operation', ({ operation }) => operation.name],
  ['connections', ({ connections }) => connections],
  ['ratio to same', ({ same }) => fraction(same.ratio)],
  ['target', ({ operation }) => fraction(operation.target)],
  ['ratio to minimal', ({ minimal }) => fraction(minimal.ratio)],
  ['target', ({ operation }) => fraction(operation.minimal)],
  ['work ms', ({ service }) => work(service)],
  ['minimal work ms', ({ minimal }) => work(minimal)],
  ['service/s', ({ service }) => rounded(service.rate)],
  ['p50 ms', ({ service }) => service.p50],
  ['p99 ms', ({ service }) => service.p99],
  ['delay ms', ({ delay }) => delay.toFixed(0)],
  ['same/s', ({ same }) => rounded(same.rate)],
  ['minimal/s', ({ minimal }) => rounded(minimal.rate)],
  ['fixed/s', ({ fixed }) => rounded(fixed)],
  ['errors', ({ service, same, minimal }) => service.errors + same.errors + minimal.errors],
];

/** The table in Markdown. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => columns.map(([, value]) => value(line)));
  const head = [columns.map(([name]) => name), columns.map(() => '---')];
  return [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const work = ({ server, database }: Work) =>
  Number.isNaN(server) ? '–' : `${server.toFixed(2)} + ${database.toFixed(2)}`;
const fraction = (value: number | null | undefined) => (value == null || Number.isNaN(value) ? '–' : value.toFixed(2));
const rounded = (rate: number) => (Number.isNaN(rate) ? '–' : rate < 10 ? rate.toFixed(1) : String(Math.round(rate)));
