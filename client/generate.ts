import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

type Operation = { parameters?: readonly { name?: string; $ref?: string }[] };
type Document = { paths: Readonly<Record<string, { post?: Operation }>> };

const target = new URL('./src/api.ts', import.meta.url);

/** The text of `src/api.ts`: the types of the OpenAPI document, and the paths that take an Idempotency-Key. */
export async function renderApi(): Promise<string> {
  const text = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as Document; // our own document
  const idempotent = Object.entries(document.paths).filter(([, { post }]) =>
    post?.parameters?.some(
      ({ name, $ref }) => name === 'Idempotency-Key' || $ref?.endsWith('/IdempotencyKey') === true,
    ),
  );
  const types = astToString(await openapiTS(text, { silent: true, defaultNonNullable: false }));
  return `// Generated from docs/openapi.json by \`npm run openapi\`.

/** The paths whose POST takes an Idempotency-Key. */
export const idempotentPaths: ReadonlySet<string> = new Set(${JSON.stringify(idempotent.map(([path]) => path))});

${types}`;
}

if (process.argv[1] === import.meta.filename) await writeFile(target, await renderApi());
