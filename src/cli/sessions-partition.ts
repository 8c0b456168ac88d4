import { StartError } from '../boot/start-error.ts';
import { cancelPartitioning, PartitioningError, partitionSessions } from '../db/partitioning/partition-sessions.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Partitions the table of study records by the hash of the user, for installations with several hundred million of them: vacuum,
index builds and restores then work on parts. The service keeps running; requests wait for the last step, which takes about a
second. Needs free disk space of the size of the table and its indexes. If it is interrupted, run it again: it continues.

  studytrack sessions:partition               creates 16 partitions, or continues an interrupted run
  studytrack sessions:partition --parts 64    creates 64 partitions, for larger installations
  studytrack sessions:partition --chunk 500   copies and locks 500 records at a time (default: 2000)
  studytrack sessions:partition --cancel      removes an unfinished copy
`;

export const command = defineCommand(
  usage,
  {
    parts: { type: 'string' },
    chunk: { type: 'string', default: '2000' },
    cancel: { type: 'boolean', default: false },
  },
  ({ values }) => {
    const parts = values.parts === undefined ? undefined : numberOf('--parts', values.parts, 2, 256);
    const chunk = numberOf('--chunk', values.chunk, 1, 100_000);
    return withDatabase(async ({ knex }) => {
      const log = (line: string) => void process.stdout.write(`${line}\n`);
      try {
        if (values.cancel !== true) return await partitionSessions(knex, { parts, chunk, log });
        await cancelPartitioning(knex);
        log('Any unfinished copy was removed.');
      } catch (error) {
        throw error instanceof PartitioningError ? new StartError(error.message) : error;
      }
    });
  },
);

function numberOf(option: string, text: string, minimum: number, maximum: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
  throw new StartError(`${option}: must be a whole number from ${minimum} to ${maximum}`);
}
