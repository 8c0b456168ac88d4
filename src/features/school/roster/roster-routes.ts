import { idParams, paginate } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { maxRosterRows } from './file/roster-csv.ts';
import { roster, rosterList, rosterWithChanges, toRosterChangeResponse, toRosterResponse } from './roster-responses.ts';
import { importRosterBody, listRosterChangesQuery } from './roster-schemas.ts';
import type { RosterService } from './roster-service.ts';

const maxBytes = 10 * 1024 * 1024;

export function createRosterRoutes({ rosters }: { rosters: RosterService }): Operation[] {
  const base = { tag: 'Users', access: 'admin' } as const;
  return [
    operation({
      ...base,
      method: 'post',
      path: '/api/admin/roster',
      id: 'importRoster',
      summary: "Apply a school's list of accounts",
      description: `Takes a CSV file with the columns username, email, display_name, external_id and group (several are separated by semicolons), of which the names in Moodle (firstname, lastname, idnumber, cohort1) are known as well and all other columns are listed, or a OneRoster 1.1 or 1.2 archive of complete CSV files, of whose users the students are read; at most 10 MiB and ${maxRosterRows} accounts. Accounts are found by external id, or else by e-mail address, or else by username. Missing groups are created; memberships that no roster has added stay. The file is compared and applied in the background: poll the returned roster. A file with an error changes nothing. Each account is changed on its own, with the rights that the caller has at that time. There can be one unfinished roster.`,
      upload: { field: 'file', maxBytes },
      body: importRosterBody,
      data: roster,
      status: 202,
      errors: ['CONFLICT'],
      cost: 'import',
      guard: () => rosters.requireNoneRunning(),
      handler: async ({ actor, body, file, request }) => {
        if (file === undefined) throw new Error('upload without a file');
        const begun = await rosters.begin(actor, file.path, body);
        return {
          data: toRosterResponse(begun, request.locale),
          message: { key: 'roster_begun' },
          location: `/api/admin/roster/${begun.id}`,
        };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/roster',
      id: 'listRosters',
      summary: 'List rosters',
      description: 'The ten newest of the last 30 days.',
      data: rosterList,
      handler: async ({ request }) => {
        const found = await rosters.list();
        return { data: { rosters: found.map((row) => toRosterResponse(row, request.locale)) } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/roster/:id',
      id: 'getRoster',
      summary: 'Get the progress and the difference of a roster',
      description: 'What it changes, or has changed, in the order of the file; missing accounts follow.',
      params: idParams,
      query: listRosterChangesQuery,
      data: rosterWithChanges,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ params, query, request }) => {
        const { roster: found, changes, total } = await rosters.get(params.id, query);
        return {
          data: {
            roster: toRosterResponse(found, request.locale),
            changes: changes.map((row) => toRosterChangeResponse(row, request.locale)),
            pagination: paginate(query.page, query.limit, total),
          },
        };
      },
    }),
  ];
}
