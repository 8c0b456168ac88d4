import { expect } from 'vitest';
import type { Schema } from './document.ts';
import { type Probe, probesOf } from './field-values.ts';
import type { Reply } from './target.ts';

/** A probe of a field, and the name that a response has for the field. */
export type Planned = { field: string; name: string; probe: Probe };

const largestTogether = 90_000; // bytes; with what else is in a body, it is within the limit

/** Probes of different fields, which can be in a request together. Those of values that are accepted are alone. */
export function togetherOf(fields: Readonly<Record<string, Schema>>, prefix = ''): Planned[][] {
  const alone: Planned[][] = [];
  const together: { bytes: number; planned: Planned[] }[] = [];
  for (const [field, schema] of Object.entries(fields))
    for (const probe of probesOf(field, schema)) {
      const planned = { field, name: `${prefix}${field}`, probe };
      const bytes = Buffer.byteLength(probe.json);
      const open = together.find(
        (other) => other.bytes + bytes <= largestTogether && other.planned.at(-1)?.field !== field,
      );
      if (probe.verdict === 'accepted') alone.push([planned]);
      else if (open === undefined) together.push({ bytes, planned: [planned] });
      else {
        open.planned.push(planned);
        open.bytes += bytes;
      }
    }
  return [...alone, ...together.map(({ planned }) => planned)];
}

/** The JSON text of an object with these values instead of its own. */
export function withProbes(object: object, planned: readonly Planned[]): string {
  const others = Object.entries(object).filter(([key]) => planned.every(({ field }) => field !== key));
  const members = [
    ...others.map(([key, value]) => [key, JSON.stringify(value)]),
    ...planned.map(({ field, probe }) => [field, probe.json]),
  ];
  return `{${members.flatMap(([key, json]) => (json === undefined ? [] : `${JSON.stringify(key)}:${json}`)).join()}}`;
}

function expectVerdict(field: string, { json, verdict }: Probe, { status, text }: Reply): void {
  const what = `${field}: ${json.slice(0, 100)}: ${status} ${text.slice(0, 300)}`;
  const isRejected = status >= 400 && status < 500 && status !== 429;
  if (verdict === 'rejected') expect(isRejected, what).toBe(true);
  if (verdict === 'named') expect(text, what).toContain(`"field":"${field}"`);
  if (verdict === 'accepted') expect(text, what).not.toContain(`"field":"${field}"`);
}

/** A response names all wrong fields of a request. Values that it does not name among others are sent alone. */
export async function sendAll(
  planned: readonly Planned[],
  send: (planned: readonly Planned[]) => Promise<Reply>,
): Promise<void> {
  if (planned.length > 1) {
    const { status, text } = await send(planned);
    const isNamed = ({ name }: Planned) => status === 400 && text.includes(`"field":"${name}"`);
    for (const one of planned.filter((each) => !isNamed(each))) await sendAll([one], send);
    return;
  }
  const reply = await send(planned);
  for (const one of planned) expectVerdict(one.name, one.probe, reply);
}
