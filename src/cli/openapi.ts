import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createContainer } from '../boot/composition/index.ts';
import { readConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { deliveryData } from '../features/integrations/webhooks/webhook-events.ts';
import { createOpenApiDocument } from '../http/openapi/document.ts';
import { createLogger } from '../lib/log/logger.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { projectRoot } from '../project-root.ts';
import { defineCommand } from './command.ts';

const usage = `
Writes the OpenAPI document of all operations.

  studytrack openapi               writes docs/openapi.json, in a checkout
  studytrack openapi --to FILE
`;

const defaultFile = path.join(projectRoot, 'docs/openapi.json');

export const command = defineCommand(usage, { to: { type: 'string' } }, async ({ values: { to = defaultFile } }) => {
  if (to === defaultFile && !existsSync(path.dirname(to)))
    throw new OperatorError('--to FILE is required outside a checkout.');
  const { operations } = createContainer({
    config: readConfig({}),
    database: openDatabase({ url: 'postgres://unused', poolSize: 1 }),
    logger: createLogger('silent'),
    secrets: ['unused'],
  });
  const document = createOpenApiDocument(operations, { webhooks: deliveryData });
  await writeFile(to, `${toLines(JSON.parse(JSON.stringify(document)), 2)}\n`);
  process.stdout.write(`${path.relative(process.cwd(), to)}: ${operations.length} operations\n`);
});

/** JSON with a line for each path and component: small, and its changes can still be read. */
function toLines(value: unknown, depth: number, indent = '  '): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, part]) => {
    const inner = key === 'components' ? depth : depth - 1;
    return `${indent}${JSON.stringify(key)}: ${toLines(part, inner, `${indent}  `)}`;
  });
  return `{\n${entries.join(',\n')}\n${indent.slice(2)}}`;
}
