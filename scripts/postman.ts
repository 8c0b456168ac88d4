import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../src/project-root.ts';
import { folders, idVariables, type Step } from './postman-steps.ts';

type Field = { key: string; value?: string; type?: string; src?: string; disabled?: boolean; description?: unknown };
type Request = {
  method: string;
  description?: unknown;
  url: { path: string[]; host: string[]; query: Field[]; variable: Field[] };
  header: Field[];
  body?: { mode: string; raw?: string; formdata?: Field[]; options?: object };
};
type Item = { name: string; item?: Item[]; request?: Request };
type Reference = { $ref?: string };
type Parameter = Reference & { name: string; example?: unknown; schema?: { example?: unknown; default?: unknown } };
type Operation = {
  operationId: string;
  'x-alias-of'?: string;
  parameters?: readonly Parameter[];
  security: readonly object[];
  responses: Readonly<Record<string, Reference & { content?: Readonly<Record<string, unknown>> }>>;
};
type Described = { method: string; path: string; operation: Operation };
type Document = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: Record<'parameters' | 'responses', Record<string, never>>;
};

const source = path.join(projectRoot, 'docs/openapi.json');
const files = {
  collection: new URL('../docs/postman/studytrack.postman_collection.json', import.meta.url),
  environment: new URL('../docs/postman/local.postman_environment.json', import.meta.url),
};

/** Generates collection and environment from docs/openapi.json. Throws for an operation that is in no folder. */
export async function renderPostman(): Promise<{ collection: string; environment: string }> {
  const document = JSON.parse(await readFile(source, 'utf8')) as Document; // our own document
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Described] => [
      operation.operationId,
      { method: method.toUpperCase(), path, operation: resolved(operation, document) },
    ]),
  );
  const operations = new Map(described);
  const listed = new Set(folders.flatMap(({ steps }) => steps.map(({ id }) => id)));
  const missing = described.flatMap(([id, { operation }]) => (listed.has(id) || operation['x-alias-of'] ? [] : [id]));
  if (missing.length > 0) throw new Error(`missing in scripts/postman-steps.ts: ${missing.join(', ')}`);

  const requests = await convertedRequests();
  const item = folders.map(({ name, about, steps }) => ({
    name,
    description: about,
    item: steps.map((step) => {
      const found = operations.get(step.id);
      const converted = found && requests.get(`${found.method} ${found.path}`);
      if (found === undefined || converted === undefined) throw new Error(`unknown operation ${step.id}`);
      return toItem(converted, found, step);
    }),
  }));
  const variables = folders.flatMap(({ steps }) => steps.flatMap(({ set }) => Object.keys(set ?? {})));
  return {
    collection: json({
      info: {
        name: document.info.title,
        description: document.info.description,
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
      item,
      variable: [...new Set([...variables, 'captchaId', 'captcha', 'signInId', 'otp', 'tokenExpiry'])].map((key) => ({
        key,
        value: '',
      })),
    }),
    environment: json({
      name: 'Studytrack on this machine',
      values: [
        { key: 'baseUrl', value: 'http://127.0.0.1:3000', enabled: true },
        { key: 'username', value: 'admin', enabled: true },
        { key: 'password', value: '', type: 'secret', enabled: true },
      ],
    }),
  };
}

/** The operation with the components that it refers to. */
function resolved(operation: Operation, { components }: Document): Operation {
  const { parameters = [], responses } = operation;
  const find = <Part extends Reference>(part: Part, kind: 'parameters' | 'responses'): Part =>
    part.$ref === undefined ? part : (components[kind][part.$ref.split('/').at(-1) ?? ''] ?? part);
  return {
    ...operation,
    parameters: parameters.map((parameter) => find(parameter, 'parameters')),
    responses: Object.fromEntries(Object.entries(responses).map(([status, part]) => [status, find(part, 'responses')])),
  };
}

/** The converter's requests by method and path. */
async function convertedRequests(): Promise<Map<string, Item & { request: Request }>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-postman-'));
  const [options, output] = [path.join(folder, 'options.json'), path.join(folder, 'collection.json')];
  await writeFile(options, JSON.stringify({ requestParametersResolution: 'Example' }));
  const args = ['tools/run.js', 'openapi2postmanv2', '-i', 'v1', '-c', options, '-s', source, '-o', output];
  await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
  const collection = JSON.parse(await readFile(output, 'utf8')) as Item; // its format is that of a collection
  await rm(folder, { recursive: true });
  const found = new Map<string, Item & { request: Request }>();
  const walk = ({ item = [], name, request }: Item) => {
    for (const child of item) walk(child);
    if (request === undefined) return;
    const path = request.url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/');
    found.set(`${request.method} /${path}`, { name, request });
  };
  walk(collection);
  return found;
}

function variableOf(path: string, key: string): string | undefined {
  if (key === 'delivery_id') return '{{deliveryId}}';
  if (key === 'days_off_id') return '{{excusedId}}';
  const [, name] = idVariables.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return key === 'id' && name !== undefined ? `{{${name}}}` : undefined;
}

function toItem({ name, request }: { name: string; request: Request }, { path, operation }: Described, step: Step) {
  const variable = request.url.variable.map(({ key, description }) => ({
    key,
    value: variableOf(path, key) ?? exampleOf(operation, key),
    description,
  }));
  const header = request.header
    .filter(({ key, value }) => key !== 'Accept' && value !== 'multipart/form-data')
    .map((field) => {
      if (field.key === 'Idempotency-Key') return { ...field, value: '{{$guid}}' };
      if (field.key === 'Sec-Fetch-Site') return { ...field, value: exampleOf(operation, field.key) };
      return field.key === 'If-Match' ? { ...field, value: '', disabled: true } : field;
    });
  const query = request.url.query.map((field) => ({
    ...field,
    value: step.query?.[field.key] ?? exampleOf(operation, field.key),
    disabled: step.query?.[field.key] === undefined,
  }));
  return {
    name,
    ...(step.before !== undefined && {
      event: [script('prerequest', step.before), script('test', testScript(operation, step))],
    }),
    ...(step.before === undefined && { event: [script('test', testScript(operation, step))] }),
    request: {
      method: request.method,
      description: request.description,
      header,
      url: { ...request.url, raw: `{{baseUrl}}/${request.url.path.join('/')}`, query, variable },
      ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
      ...(request.body !== undefined && { body: bodyOf(request.body, step) }),
    },
  };
}

/** The documented example: without one, the converter generates a random value. */
function exampleOf({ parameters = [] }: Operation, name: string): string {
  const parameter = parameters.find((candidate) => candidate.name === name);
  return String(parameter?.example ?? parameter?.schema?.example ?? parameter?.schema?.default ?? '');
}

function bodyOf(body: NonNullable<Request['body']>, step: Step) {
  if (body.formdata !== undefined) {
    const formdata = body.formdata.map((field) => {
      if (field.type === 'file') return { key: field.key, type: 'file', src: step.file };
      const value = step.body?.[field.key];
      // The converter chooses one of the known values at random: a field that is not sent is empty.
      return { ...field, type: 'text', value: value ?? '', disabled: value === undefined };
    });
    return { ...body, formdata };
  }
  const fields = { ...JSON.parse(body.raw ?? '{}'), ...step.body };
  // Ids are numbers: their variables need no quotes.
  const raw = JSON.stringify(fields, null, 2).replace(/"(\{\{\w+Id\}\})"(?!:)/g, (quoted, name) =>
    name === '{{captchaId}}' ? quoted : name,
  );
  return { ...body, raw };
}

/** The test script: checks the response and sets variables from it. */
function testScript({ responses }: Operation, { set = {}, status: expected, isRequired = false }: Step): string[] {
  const [success = '200'] = Object.keys(responses)
    .filter((code) => code.startsWith('2'))
    .sort()
    .reverse();
  const status = expected ?? success;
  const isJson = expected === undefined && responses[success]?.content?.['application/json'] !== undefined;
  const hasOther = Object.keys(responses[success]?.content ?? {}).length > 1;
  const accepted = [status].flat();
  return [
    // The message of a failure says what to change.
    'const given = pm.response.text();',
    "let message = '';",
    'try { message = JSON.parse(given).message; } catch (error) { message = given.slice(0, 200); }',
    `pm.test('returns ${accepted.join(' or ')}', () => pm.expect(pm.response.code, message).to.be.oneOf([${accepted.join(', ')}]));`,
    ...(isRequired ? [`if (pm.response.code !== ${accepted[0]}) pm.execution.setNextRequest(null);`] : []),
    "pm.test('has a request id', () => pm.response.to.have.header('X-Request-Id'));",
    ...(isJson && !hasOther
      ? ["pm.test('is a success', () => pm.expect(pm.response.json().success).to.equal(true));"]
      : []),
    ...Object.entries(set).map(([name, path]) => `pm.collectionVariables.set('${name}', pm.response.json().${path});`),
  ];
}

function script(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const texts = await renderPostman();
  await writeFile(files.collection, texts.collection);
  await writeFile(files.environment, texts.environment);
}
