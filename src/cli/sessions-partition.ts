import { StartError } from '../boot/start-error.ts';
import { cancelPartitioning, PartitioningError, partitionSessions } from '../db/partitioning/partition-sessions.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Partitions the table of study records by the hash of the user, for installations with some hundred million of them: vacuum,
index builds and restores then work on parts. The service goes on meanwhile; requests wait for the last step, which takes
about a second. Needs the space of the table and its indexes once more. When interrupted, run it again: it continues.

  studytrack sessions:partition               into 16 partitions, or those of the run that was interrupted
  studytrack sessions:partition --parts 64    more, for more than some hundred million
  studytrack sessions:partition --chunk 500   records that are copied, and locked, at a time (2000)
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
      const say = (line: string) => void process.stdout.write(`${line}\n`);
      try {
        if (values.cancel !== true) return await partitionSessions(knex, { parts, chunk, say });
        await cancelPartitioning(knex);
        say('There is no unfinished copy any more.');
      } catch (error) {
        throw error instanceof PartitioningError ? new StartError(error.message) : error;
      }
    });
  },
);

function numberOf(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new StartError(`${option}: a number from ${least} to ${most}`);
}
