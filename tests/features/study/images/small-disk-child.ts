import type { AddressInfo } from 'node:net';
import { createApp } from '../../../../src/boot/app.ts';
import { createContainer } from '../../../../src/boot/composition/index.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { openDatabase } from '../../../../src/db/database.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';

// Runs the application in a separate process, whose file size can be limited. Prints its port.
const [secret = '', url = ''] = process.argv.slice(2);
const config = readConfig(process.env);
const database = openDatabase({ url, poolSize: 2 });
const app = createApp(createContainer({ config, database, logger: createLogger('silent'), secrets: [secret] }));
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server has one
  process.stdout.write(`${port}\n`);
});
