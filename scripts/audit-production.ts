import { spawnSync } from 'node:child_process';

type Finding = { name: string; severity: string; range: string };
type Report = { vulnerabilities?: Record<string, Finding>; message?: string };

/** Fails if a production dependency has a known high or critical vulnerability. Passes with a note if the registry has no audit. */
const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const report = parse(stdout);
if (report?.vulnerabilities !== undefined) {
  const severe = Object.values(report.vulnerabilities).filter(({ severity }) => /^(high|critical)$/.test(severity));
  for (const { name, range, severity } of severe) process.stdout.write(`${severity}: ${name} ${range}\n`);
  process.stdout.write(`${severe.length} known high or critical vulnerabilities in production dependencies\n`);
  if (severe.length > 0) process.exitCode = 1;
} else if (report?.message !== undefined) {
  process.stdout.write(`NOT CHECKED: the registry does not support npm audit (${report.message})\n`);
} else {
  process.stderr.write(`npm audit returned no report:\n${stdout}${stderr}\n`);
  process.exitCode = 1;
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
