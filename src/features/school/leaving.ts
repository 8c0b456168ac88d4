import type { Leaving } from '../accounts/users/leaving.ts';
import * as reportLinks from './reports/report-link-repository.ts';
import * as rosters from './roster/roster-repository.ts';

/** Links to reports and rows of rosters. */
export const schoolLeaving: Leaving = {
  async endAccess(tx, id, { isDeactivated }) {
    await reportLinks.endOf(tx, id, { isDeactivated });
    if (isDeactivated) await rosters.markDeactivated(tx, id, false); // a roster sets it after its own
  },
  async erase(tx, id) {
    await reportLinks.endOf(tx, id, { isDeactivated: true });
    await rosters.forget(tx, id);
    return [];
  },
};
