import { requests } from '../../../seeds/requests.ts';
import {
  classTeacher,
  groups,
  holiday,
  notesFor,
  type Plan,
  plans,
  students,
  type Teacher,
  term,
} from '../../../seeds/school.ts';
import { createRandom, makeUpStudy } from '../../../seeds/study.ts';
import { type Actor, actorOf } from '../../actor.ts';
import { createGroupService } from '../../features/accounts/groups/group-service.ts';
import { newUser } from '../../features/accounts/users/account-creation.ts';
import * as users from '../../features/accounts/users/user-repository.ts';
import { createInboxService } from '../../features/contact/inbox/inbox-service.ts';
import { submissions } from '../../features/contact/submissions/contact-repository.ts';
import { createSchoolYearService } from '../../features/school/school-year/school-year-service.ts';
import * as achievements from '../../features/study/achievements/achievement-repository.ts';
import { createMissingAwards } from '../../features/study/achievements/award-kind.ts';
import { createProjectBody } from '../../features/study/projects/project-schemas.ts';
import { createProjectService } from '../../features/study/projects/project-service.ts';
import type { Tx } from '../../transactions/transactions.ts';
import { insertRecords, joinEarlier, leaveList, returnToList } from './example-record-repository.ts';

type People = ReadonlyMap<string, Actor>;
type NewPerson = Omit<Parameters<typeof newUser>[0], 'email' | 'status'>;
export type ExampleSchool = { students: number; projects: number; records: number };

/**
 * Three classes with sixteen weeks of study, a term with a holiday, and a class teacher. The accounts of the students and of the class
 * teacher get the password of this hash.
 */
export async function fillExampleSchool(
  tx: Tx,
  teachers: Readonly<Record<Teacher, Actor>>,
  passwordHash: string,
  now: Date,
): Promise<ExampleSchool> {
  const people = new Map<string, Actor>(Object.entries(teachers));
  const create = async ({ username, ...account }: NewPerson) => {
    const fields = newUser({ ...account, username, email: `${username}@school.example`, status: 'active' });
    const user = await users.insert(tx, fields, { hash: passwordHash, expires_at: null });
    tx.record({ type: 'user.created', users: [user] });
    people.set(username, actorOf(user));
  };
  for (const { username, display_name, timezone } of students)
    await create({ username, display_name, timezone, role: 'user' });
  const groupIds = await createGroups(tx, people);
  const { group, ...teacher } = classTeacher;
  await create({ ...teacher, role: 'admin', admin_scope: 'groups', admin_group_ids: [get(groupIds, group)] });
  await createSchoolYear(tx, teachers['he.laoshi'], now);
  const ids = await createProjects(tx, people, now);
  const joined = new Date(now.getTime() - usualAge * 86_400_000);
  const studentIds = students.map(({ username }) => get(people, username).id);
  await joinEarlier(tx, studentIds, joined);
  const records = await createRecords(tx, people, ids, now);
  await award(tx, people, ids, now);
  await endProjects(tx, people, ids);
  await createRequests(tx, people, now);
  return { students: students.length, projects: ids.size, records };
}

function get<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const found = map.get(name);
  if (found === undefined) throw new Error(`unknown name in the example school: ${name}`);
  return found;
}

/** Returns their ids by name. */
async function createGroups(tx: Tx, people: People): Promise<ReadonlyMap<string, number>> {
  const service = createGroupService({ store: tx });
  const ids = new Map<string, number>();
  for (const { name, owner, members } of groups) {
    const user_ids = members.map((member) => get(people, member).id);
    ids.set(name, (await service.create(tx, get(people, owner), { name, user_ids })).group.id);
  }
  return ids;
}

async function createSchoolYear(tx: Tx, head: Actor, now: Date): Promise<void> {
  const service = createSchoolYearService({ store: tx, weekdays: [] });
  const monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * 86_400_000;
  const day = (number: number) => new Date(monday + number * 86_400_000).toISOString().slice(0, 10);
  const datesOf = ({ name, from, to }: typeof term) => ({ name, first_day: day(from), last_day: day(to) });
  await service.createTerm(tx, head, datesOf(term));
  await service.createSchoolDay(tx, head, { ...datesOf(holiday), kind: 'off', group_id: null });
}

/** There are no timers to end. */
const projectsOf = (store: Tx) => createProjectService({ store, endTimers: async () => [] });

/** Days that a plan has run, if it does not say so itself: longer than its records. */
const usualAge = 115;

/** All are active, because study is recorded on active projects. Returns their ids by name. */
async function createProjects(tx: Tx, people: People, now: Date): Promise<ReadonlyMap<string, number>> {
  const service = projectsOf(tx);
  const ids = new Map<string, number>();
  for (const plan of plans) {
    const { name, owner, each = false, due_in: days } = plan;
    const due_date = days === undefined ? null : new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const target_scope = each ? 'each' : 'shared';
    const input = createProjectBody.parse({ ...plan, target_scope, due_date });
    const { id } = await service.create(get(people, owner), input);
    // Out of the list and into it again, so that everything that depends on the date is counted by the triggers.
    await leaveList(tx, id);
    const [age = usualAge] = plan.days ?? [];
    await returnToList(tx, id, new Date(now.getTime() - age * 86_400_000));
    const assigned = (plan.assigned ?? []).map((username) => get(people, username).id);
    if (assigned.length > 0)
      await service.update(get(people, plan.owner), id, { assigned_user_ids: assigned }, undefined);
    ids.set(name, id);
  }
  return ids;
}

async function createRecords(tx: Tx, people: People, ids: ReadonlyMap<string, number>, now: Date) {
  let count = 0;
  for (const [index, student] of students.entries()) {
    const own = ({ owner, assigned = [] }: Plan) => owner === student.username || assigned.includes(student.username);
    const subjects = plans.filter(own).map((plan) => {
      const { name, days = [112, 0] } = plan;
      return { id: get(ids, name), days, notes: notesFor(plan) };
    });
    const records = makeUpStudy(student, subjects, now, createRandom(index + 1));
    if (records.length > 0) await insertRecords(tx, get(people, student.username).id, records);
    count += records.length;
  }
  return count;
}

/** What the records have earned, as after an import. */
async function award(tx: Tx, people: People, ids: ReadonlyMap<string, number>, now: Date): Promise<void> {
  const missing = createMissingAwards({ store: tx });
  const calendarOf = ({ id, timezone }: Actor) => ({ zone: timezone, now, user_id: id });
  for (const { username } of students)
    await achievements.give(tx, await missing.ofUser(calendarOf(get(people, username))));
  for (const { name, owner } of plans)
    await achievements.give(tx, await missing.ofProject(get(ids, name), calendarOf(get(people, owner))));
}

async function endProjects(tx: Tx, people: People, ids: ReadonlyMap<string, number>): Promise<void> {
  const service = projectsOf(tx);
  for (const { name, owner, status } of plans)
    if (status !== undefined) await service.update(get(people, owner), get(ids, name), { status }, undefined);
}

async function createRequests(tx: Tx, people: People, now: Date): Promise<void> {
  const inbox = createInboxService({ store: tx, clock: () => now });
  for (const { hours_ago, handled, ...request } of requests) {
    const at = new Date(now.getTime() - hours_ago * 3_600_000);
    const { id } = await submissions.insert(
      tx,
      { ...request, ip_address: '192.0.2.1', user_agent: 'example school' },
      at,
    );
    if (handled === undefined) continue;
    const { by, ...change } = handled;
    await inbox.advance(get(people, by), id, change, undefined);
  }
}
