import { parseArgs } from 'node:util';
import { load, type Size } from './load.ts';

const scales = {
  school: { projects: 5000, users: 1000, records: 50_000, crowds: [] },
  small: { projects: 100_000, users: 20_000, records: 500_000, crowds: [12_000] },
  full: { projects: 1_000_000, users: 100_000, records: 10_000_000, crowds: [12_000, 50_000] },
} as const satisfies Record<string, Size>;

const help = `Fills the database named by DATABASE_URL with benchmark data.

  npm run bench:data -- --scale school|small|full [--reads-only]

  school     5,000 projects,   1,000 users,    15,000 assignments,     50,000 records (for bench:web)
  small    100,000 projects,  20,000 users,   300,000 assignments,    500,000 records
  full   1,000,000 projects, 100,000 users, 3,000,000 assignments, 10,000,000 records

  --reads-only  omits the constraint against overlapping records, which halves the time at full scale; enough for
                bench:reads

The database must exist and contain no users. The role must be a superuser, because triggers are disabled while loading.`;

const { values } = parseArgs({
  options: { scale: { type: 'string' }, 'reads-only': { type: 'boolean' }, help: { type: 'boolean' } },
});
const url = process.env['DATABASE_URL'];
const scale = Object.entries(scales).find(([name]) => name === values.scale)?.[1];
if (values.help === true || scale === undefined || url === undefined) {
  process.stdout.write(`${help}\n`);
  process.exitCode = values.help === true ? 0 : 1;
} else {
  await load(url, { ...scale, readsOnly: values['reads-only'] === true }, (step, seconds) => {
    process.stderr.write(`${step.padEnd(45)} ${seconds.toFixed(1)} s\n`);
  });
}
