import type { Job } from '../../lib/jobs.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { createJobQueue } from '../operations/background-work/background-worker.ts';
import type { ChannelOutbox } from '../operations/channels/channel-outbox.ts';
import type { Platform } from '../operations/platform.ts';
import type { Study } from '../study/study.ts';
import { createMessageRoutes } from './announcements/message-routes.ts';
import { createGroupComparisonRoutes } from './progress/group-comparison/group-comparison-routes.ts';
import { createGroupComparisonService } from './progress/group-comparison/group-comparison-service.ts';
import { createGroupStatisticsRoutes } from './progress/group-statistics/group-statistics-routes.ts';
import { createGroupStatisticsService } from './progress/group-statistics/group-statistics-service.ts';
import { createProgressRoutes } from './progress/progress-routes.ts';
import { createProgressService } from './progress/progress-service.ts';
import { createProjectHoursService } from './progress/project-hours-service.ts';
import { createReminderRoutes } from './reminders/reminder-routes.ts';
import { createReminderService } from './reminders/reminder-service.ts';
import { createReportLinkService } from './reports/report-link-service.ts';
import { createReportRoutes } from './reports/report-routes.ts';
import { createReportService } from './reports/report-service.ts';
import { createRosterCheck } from './roster/roster-check.ts';
import { createRosterKind } from './roster/roster-job.ts';
import { createRosterRoutes } from './roster/roster-routes.ts';
import { createRosterService } from './roster/roster-service.ts';
import { createRosterWriter } from './roster/roster-writer.ts';
import { createCalendarRoutes } from './school-year/calendar-import/calendar-routes.ts';
import { createCalendarService } from './school-year/calendar-import/calendar-service.ts';
import { createDaysOffRoutes } from './school-year/days-off-routes.ts';
import { createDaysOffService } from './school-year/days-off-service.ts';
import { createEffectService } from './school-year/effect-service.ts';
import { createPersonYearRoutes } from './school-year/person-year/person-year-routes.ts';
import { createSchoolYearRoutes } from './school-year/school-year-routes.ts';
import { createSchoolYearService } from './school-year/school-year-service.ts';
import { createNoteRoutes } from './student-notes/note-routes.ts';
import { createNoteService } from './student-notes/note-service.ts';

/** What teachers do with many students at once: progress, reports, rosters, reminders and messages. */
export function createSchool(platform: Platform, accounts: Accounts, study: Study, channels: ChannelOutbox) {
  const { users, links, mail } = accounts;
  const { config, store, clock, rateLimits, locale, ownUrl, exporter, auditExport, periods } = platform;
  const { calendars, statistics } = study;
  const { floodPerMinute } = config.contact;
  const { weekdays } = config.schoolYear;
  const reports = createReportService({ store, statistics, periods, clock });
  const reportLinks = createReportLinkService({ ...platform, reports, publicUrl: ownUrl });
  const progress = createProgressService({ store, clock });
  const projectHours = createProjectHoursService({ store, calendars });
  const groupStatistics = createGroupStatisticsService({ store, calendars, periods });
  const comparison = createGroupComparisonService({ store, calendars, periods, weekdays });
  const reminders = createReminderService({ ...platform, mail, channels, readStates: progress.readStates });
  const schoolYear = createSchoolYearService({ store, weekdays });
  const effects = createEffectService({ store, clock });
  const rosterKind = createRosterKind({
    store,
    clock,
    lifecycle: platform.lifecycle,
    check: createRosterCheck({ store, clock }),
    writer: createRosterWriter({ ...platform, users, links }),
  });
  const rosterQueue = createJobQueue(rosterKind, platform.encryption, platform);
  const rosters = createRosterService({ ...platform, queue: rosterQueue, mail });

  const jobs: Job[] = [
    { name: 'delete expired links to reports', everySeconds: 3600, run: reportLinks.deleteExpired },
    rosterQueue.job,
    { name: 'clean up rosters', everySeconds: 600, run: rosters.clean },
    ...reminders.jobs,
  ];
  return {
    jobs,
    operations: [
      ...createReportRoutes({ ...platform, reports, links: reportLinks, floodPerMinute }),
      ...createProgressRoutes({ progress, projectHours, exporter, auditExport }),
      ...createGroupStatisticsRoutes(groupStatistics),
      ...createGroupComparisonRoutes({ service: comparison, exporter, auditExport }),
      ...createRosterRoutes({ rosters }),
      ...createSchoolYearRoutes({ schoolYear, effects, periods, weekdays }),
      ...createCalendarRoutes(createCalendarService(schoolYear, effects)),
      ...createPersonYearRoutes({ store }),
      ...createDaysOffRoutes({ service: createDaysOffService({ store, clock }), effects }),
      ...createNoteRoutes({ notes: createNoteService({ store, clock }) }),
      ...createReminderRoutes({ reminders, rateLimits, floodPerMinute }),
      ...createMessageRoutes({ mail, locale, clock }),
    ],
  };
}
