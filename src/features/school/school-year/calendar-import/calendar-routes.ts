import { type Operation, operation } from '../../../../http/operation.ts';
import { maxEvents } from './calendar-file.ts';
import { calendarBody, importedCalendar, toCalendarResponse } from './calendar-schemas.ts';
import type { CalendarService } from './calendar-service.ts';

/** Reading takes at most a few hundred milliseconds for what is the worst case of this size. */
const maxBytes = 512 * 1024;

export function createCalendarRoutes(service: CalendarService): Operation[] {
  return [
    operation({
      tag: 'School year',
      access: 'admin',
      scoped: true,
      method: 'post',
      path: '/api/admin/school-days/import',
      id: 'importSchoolDays',
      summary: 'Import days from a calendar',
      description: `Takes an iCalendar file (.ics) of at most 512 KiB and ${maxEvents} events. All-day events become days off, and those that are named as make-up days, make-up days, unless they are chosen otherwise by their numbers. All are added or none; entries that exist are left out, so that a file can be sent again. Times in UTC are read in the time zone of the caller.`,
      upload: { field: 'file', maxBytes },
      body: calendarBody,
      data: importedCalendar,
      errors: ['CONFLICT'],
      cost: 'statistics',
      handler: async ({ actor, body, file }) => {
        if (file === undefined) throw new Error('upload without a file');
        const imported = await service.import(actor, file.path, body);
        return {
          data: toCalendarResponse(imported),
          message: body.dry_run
            ? { key: 'nothing_saved' }
            : { key: 'calendar_imported', params: { added: imported.added } },
        };
      },
    }),
  ];
}
