import type { Leaving } from '../../accounts/users/leaving.ts';
import * as timers from '../timer/timer-repository.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { endMemberships } from './assignment-changes.ts';
import * as assignments from './assignment-repository.ts';
import * as leaving from './leaving-repository.ts';

/** Timers and assignments of users who lose rights: records and owned projects remain. */
export const createStudyLeaving = (endTimers: EndTimers): Leaving => ({
  async endAccess(tx, id, { isDeactivated, isDemoted }) {
    await timers.lockProjects(tx, { id, role: 'user' }, {});
    if (isDeactivated) await endTimers(tx, { user_id: id });
    if (isDemoted) await endMemberships(tx, await assignments.listVisits(tx, id), endTimers);
  },
  async erase(tx, id) {
    await leaving.lockProjects(tx, id);
    await endTimers(tx, { user_id: id });
    const left = await leaving.unassign(tx, id);
    await endMemberships(tx, left, endTimers);
    if (left.length > 0) tx.record({ type: 'assignment.changed', change: 'removed', projects: left });
    return left.flatMap(({ owner_id, assigned_user_ids }) => [owner_id, ...assigned_user_ids]);
  },
});
