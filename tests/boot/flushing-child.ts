import { createLogger, flush } from '../../src/lib/log/logger.ts';

/** A process that logs while an earlier line is being written, and exits. */
const logger = createLogger('info');
logger.info('a'.repeat(20_000)); // longer than the buffer: its write starts at once
logger.info('the last line');
await flush(logger);
process.exit();
