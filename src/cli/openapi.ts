import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '../config.ts';
import { createContainer } from '../container.ts';
import { openDatabase } from '../db/database.ts';
import { createOpenApiDocument } from '../http/openapi.ts';
import { createLogger } from '../lib/logger.ts';
import { projectRoot } from '../lib/project-root.ts';
import { runCommand } from './command.ts';

const usage = `
Writes the OpenAPI document of all operations to docs/openapi.json.

  npm run openapi
`;

await runCommand(usage, {}, async () => {
  // Nothing is connected: the operations only have to be stated.
  const { operations } = createContainer({
    config: readConfig({}),
    database: openDatabase({ url: 'postgres://nowhere', poolSize: 1 }),
    logger: createLogger('silent'),
    secrets: ['for a document nobody is signed in'],
  });
  const document = createOpenApiDocument(operations, '/');
  await writeFile(path.join(projectRoot, 'docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`docs/openapi.json: ${operations.length} operations\n`);
});
