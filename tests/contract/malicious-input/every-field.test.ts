import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Described, named, readDocument } from '../../support/malicious-input/document.ts';
import { type Probe, probesOf } from '../../support/malicious-input/field-values.ts';
import { type Sent, startTarget } from '../../support/malicious-input/target.ts';
import { type Planned, sendAll, togetherOf, withProbes } from '../../support/malicious-input/together.ts';
import { multipart } from '../../support/multipart.ts';

let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

const operations = await readDocument();
const withBody = operations.filter(({ body, isForm }) => body !== undefined && !isForm);

const textOf = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
};
/** For fields of a form that hold JSON. */
const jsonProbes: Probe[] = [
  ...['{"__proto__":{"a":1}}', '{"constructor":1}', '{"":""}', '{"P":1e400}', '{"P":9007199254740993}', '{"P":-1}'],
  ...['{"P":"\\u0000"}', '{"P":"\\ud800"}', '{"note":"\\u0000"}', '{"start":"started_at","end":"started_at"}'],
  ...['[]', '{}', 'null', '"', '{"P":null,"P":1}', `{${'"a":'.repeat(300)}1${'}'.repeat(300)}`, '[['.repeat(900)],
].map((json) => ({ json: JSON.stringify(json) }));

describe('every class of malicious value in every field of a body does no harm', () => {
  test.each(named(withBody))('%s', async (_name, operation) => {
    const base = target.bases[operation.id];
    const { body: known, ...caller } = base ?? {};
    const send = async (planned: readonly Planned[]) => {
      const body = withProbes({ ...operation.example, ...known }, planned);
      const reply = await target.send(operation.method, target.pathOf(operation), { ...caller, body });
      if (base !== undefined) await target.forgetFailures();
      return reply;
    };
    for (const planned of togetherOf(operation.body?.properties ?? {})) await sendAll(planned, send);
  });
});

describe('every class of malicious value in every field of the objects in a list, which the response names', () => {
  const lists = withBody.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {}).flatMap(([list, { items }]) =>
      items?.properties === undefined
        ? []
        : [[`${operation.method} ${operation.path} ${list}`, operation, list, items.properties] as const],
    ),
  );
  test('there are such lists', () => expect(lists).not.toEqual([]));
  test.each(lists)('%s', async (_name, operation, list, fields) => {
    const [first = {}] = operation.example[list] as object[];
    const send = (planned: readonly Planned[]) => {
      const body = `{"${list}":[${withProbes(first, planned)}]}`;
      return target.send(operation.method, target.pathOf(operation), { body });
    };
    for (const planned of togetherOf(fields, `${list}[0].`)) await sendAll(planned, send);
  });
});

const isNoItem = ({ verdict }: Probe) => verdict === 'rejected' || verdict === 'named';

describe('every class of malicious value as an item of a list', () => {
  const lists = withBody.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {}).flatMap(([list, { items }]) =>
      items === undefined || items.properties !== undefined
        ? []
        : [[`${operation.method} ${operation.path} ${list}`, operation, list, items] as const],
    ),
  );
  test.each(lists)('%s', async (_name, operation, list, items) => {
    const { [list]: _replaced, ...rest } = operation.example;
    const others = JSON.stringify(rest).slice(1, -1);
    for (const probe of probesOf(list, items)) {
      const body = `{${others}${others === '' ? '' : ','}${JSON.stringify(list)}:[${probe.json}]}`;
      const { status, text } = await target.send(operation.method, target.pathOf(operation), { body });
      if (isNoItem(probe)) expect(status, `${body.slice(0, 200)}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('every class of malicious text in every field of a form', () => {
  const forms = operations.filter(({ isForm }) => isForm);
  const fieldsOf = ({ body }: Described) => Object.entries(body?.properties ?? {});
  const fields = forms.flatMap((operation) =>
    fieldsOf(operation).flatMap(([field, schema]) =>
      schema.format === 'binary' ? [] : [[`${operation.path} ${field}`, operation, field, schema] as const],
    ),
  );
  test('there are such fields', () => expect(fields).not.toEqual([]));
  test.each(fields)('%s', async (_name, operation, field, schema) => {
    const [file = ''] = fieldsOf(operation).find(([, { format }]) => format === 'binary') ?? [];
    const data = 'project_name,started_at,ended_at\nP,2026-02-01T08:00:00Z,2026-02-01T09:00:00Z\n';
    const probes = [...probesOf(field, schema), ...jsonProbes].map(({ json }) => textOf(json));
    for (const text of new Set(probes)) {
      const form = multipart({ name: field, data: text }, { name: file, filename: 'x.csv', data });
      const headers = { 'Content-Type': form.type };
      await target.send(operation.method, target.pathOf(operation), { headers, body: form.body });
    }
  });

  test.each(forms.map((operation) => [operation.path, operation] as const))(
    'names and repeated fields: %s',
    async (_path, operation) => {
      const names = [
        '',
        '__proto__',
        'constructor',
        'toString',
        'a[b][c]',
        `a${'[b]'.repeat(30)}`,
        '\u0000',
        'é'.repeat(40),
      ];
      for (const name of [...names, ...fieldsOf(operation).map(([field]) => field)]) {
        const form = multipart({ name, data: '1' }, { name, data: '2' }, { name: `${name}[]`, data: '3' });
        const reply = await target.send(operation.method, target.pathOf(operation), {
          headers: { 'Content-Type': form.type },
          body: form.body,
        });
        expect(reply.status, name).toBeGreaterThanOrEqual(400);
      }
    },
  );
});

describe('a compressed body is rejected as it would be without compression', () => {
  test.each(named(withBody))('%s', async (_name, operation) => {
    const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
    const fields = Object.keys(operation.body?.properties ?? {}).map((field) => [field, marks]);
    const plain = JSON.stringify(Object.fromEntries(fields));
    const sendBody = (sent: Sent) => target.send(operation.method, target.pathOf(operation), sent);
    const { status } = await sendBody({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(plain) });
    if (fields.length > 0) expect([400, 403, 404, 413]).toContain(status);
    expect(status).toBe((await sendBody({ body: plain })).status);
  });
});
