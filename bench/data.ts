import { load, type Size } from './load.ts';
import { databaseUrl, readFlags, showHelp } from './servers.ts';

const scales = {
  school: { projects: 5000, users: 1000, records: 50_000, crowds: [] },
  small: { projects: 100_000, users: 20_000, records: 500_000, crowds: [12_000] },
  full: { projects: 1_000_000, users: 100_000, records: 10_000_000, crowds: [12_000, 50_000] },
} as const satisfies Record<string, Size>;

const help = `Fills the database named by DATABASE_URL with benchmark data.

  npm run bench:data -- --scale school|small|full [--for reads]

  school     5,000 projects,   1,000 users,    15,000 assignments,     50,000 records (for bench:web)
  small    100,000 projects,  20,000 users,   300,000 assignments,    500,000 records
  full   1,000,000 projects, 100,000 users, 3,000,000 assignments, 10,000,000 records

  --for reads  omits the constraint against overlapping records, which halves the time at full scale; enough for bench:reads

The database must exist and contain no users. The role must be a superuser, because triggers are disabled while loading.`;

const flags = readFlags(help, { scale: '', for: '' });
const scale = Object.entries(scales).find(([name]) => name === flags.scale)?.[1] ?? showHelp(help);
await load(databaseUrl(help), { ...scale, readsOnly: flags.for === 'reads' }, (step, seconds) => {
  process.stderr.write(`${step.padEnd(45)} ${seconds.toFixed(1)} s\n`);
});
