import type { Leaving } from '../accounts/users/leaving.ts';
import * as reportLinks from './reports/report-link-repository.ts';
import * as rosters from './roster/roster-repository.ts';
import * as notes from './student-notes/note-repository.ts';

/** Links to reports, rows of rosters and notes of teachers. */
export const schoolLeaving: Leaving = {
  async endAccess(tx, id, { isDeactivated }) {
    await reportLinks.endOf(tx, id, { isDeactivated });
    if (isDeactivated) await rosters.markDeactivated(tx, id, false); // a roster sets it after its own
  },
  async erase(tx, id) {
    await reportLinks.endOf(tx, id, { isDeactivated: true });
    await rosters.forget(tx, id);
    await notes.remove(tx, id);
    await notes.forgetAuthor(tx, id);
    return [];
  },
};
