import { connect } from '../boot/composition/database.ts';
import type { Award } from '../features/study/achievements/achievement-repository.ts';
import * as achievements from '../features/study/achievements/achievement-repository.ts';
import { createMissingAwards } from '../features/study/achievements/award-kind.ts';
import type { PartDrift, ProjectDrift, UserDrift } from '../features/study/statistics/totals-repository.ts';
import * as totals from '../features/study/statistics/totals-repository.ts';
import type { Db } from '../transactions/transactions.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Compares stored totals with the study sessions and repairs differences: hours and session counts of projects and of each
user in a project, hours and achievements of users.

  studytrack projects:recalculate             reports and repairs; safe while the service is running
  studytrack projects:recalculate --dry-run   only reports
`;

function projectLine({ project_id, stored_seconds, actual_seconds, stored_count, actual_count }: ProjectDrift): string {
  return `project ${project_id}: stored ${stored_seconds} s in ${stored_count} sessions, actual ${actual_seconds} s in ${actual_count}\n`;
}

function partLine({
  user_id,
  project_id,
  stored_seconds,
  actual_seconds,
  stored_count,
  actual_count,
}: PartDrift): string {
  return `user ${user_id} in project ${project_id}: stored ${stored_seconds} s in ${stored_count} sessions, actual ${actual_seconds} s in ${actual_count}\n`;
}

function userLine({ user_id, stored_seconds, actual_seconds }: UserDrift): string {
  return `user ${user_id}: stored ${stored_seconds} s, actual ${actual_seconds} s\n`;
}

export async function recalculate(store: Db, write: (line: string) => void, { dryRun }: { dryRun: boolean }) {
  const projects = await totals.findProjectDrift(store);
  const parts = await totals.findPartDrift(store);
  const users = await totals.findUserDrift(store);
  const awards = await findMissingAwards(store);
  const lines = [
    ...projects.map(projectLine),
    ...parts.map(partLine),
    ...users.map(userLine),
    ...awards.map(([user, missing]) => `user ${user}: ${missing.length} achievements missing\n`),
  ];
  for (const line of lines) write(line);
  if (lines.length === 0) write('no drift\n');
  if (lines.length === 0 || dryRun) return;
  const idsOf = (drifts: readonly { project_id: number }[]) => [...new Set(drifts.map(({ project_id }) => project_id))];
  if (projects.length > 0) await store.asService((tx) => totals.repairProjects(tx, idsOf(projects)));
  if (parts.length > 0) await store.asService((tx) => totals.repairParts(tx, idsOf(parts)));
  for (const { user_id } of users) await store.asService((tx) => totals.repairUser(tx, user_id));
  for (const [, missing] of awards) await achievements.give(store, missing);
  const repaired = [...new Set([...users.map(({ user_id }) => user_id), ...awards.map(([user]) => user)])];
  write(
    `repaired ${projects.length} projects, ${parts.length} totals of users in projects and ${repaired.length} users\n`,
  );
}

/** By user. */
async function findMissingAwards(store: Db): Promise<[user: number, Award[]][]> {
  const missing = createMissingAwards({ store });
  const found: [number, Award[]][] = [];
  for (const { id, zone } of await totals.listUsers(store)) {
    const awards = await missing.ofUser({ user_id: id, zone, now: new Date() });
    if (awards.length > 0) found.push([id, awards]);
  }
  return found;
}

export const command = defineCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase((database) =>
    recalculate(connect(database), (line) => process.stdout.write(line), { dryRun: values['dry-run'] === true }),
  ),
);
