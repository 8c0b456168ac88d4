import { spawnSync } from 'node:child_process';

type Finding = { name: string; severity: string; range: string };
type Report = { vulnerabilities?: Record<string, Finding>; message?: string };

/**
 * Ends with an error when a package that runs in production has a known vulnerability of the two upper grades. Not every
 * registry can be asked: then it says so and lets pass.
 */
const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const report = parse(stdout);
if (report?.vulnerabilities !== undefined) {
  const grave = Object.values(report.vulnerabilities).filter(({ severity }) => /^(high|critical)$/.test(severity));
  for (const { name, range, severity } of grave) process.stdout.write(`${severity}: ${name} ${range}\n`);
  process.stdout.write(`${grave.length} known vulnerabilities of grade high or critical in production dependencies\n`);
  if (grave.length > 0) process.exitCode = 1;
} else if (report?.message !== undefined) {
  process.stdout.write(`NOT CHECKED: the registry does not say which vulnerabilities are known (${report.message})\n`);
} else {
  process.stderr.write(`npm audit gave no report:\n${stdout}${stderr}\n`);
  process.exitCode = 1;
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
