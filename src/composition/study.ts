import { createAchievementRoutes } from '../features/achievements/achievement-routes.ts';
import { createAwardKind } from '../features/achievements/award-kind.ts';
import { createAssignmentRoutes } from '../features/assignments/assignment-routes.ts';
import { createAssignmentService } from '../features/assignments/assignment-service.ts';
import { createMemberReadModel } from '../features/assignments/member-read-model.ts';
import { createJobQueue } from '../features/background-work/background-worker.ts';
import { createDashboardReadModel } from '../features/dashboard/dashboard-read-model.ts';
import { createDashboardRoutes } from '../features/dashboard/dashboard-routes.ts';
import { createGoalReadModel } from '../features/goals/goal-read-model.ts';
import { createGoalRoutes } from '../features/goals/goal-routes.ts';
import { createGroupRoutes } from '../features/groups/group-routes.ts';
import { createGroupService } from '../features/groups/group-service.ts';
import { createImageProcessor } from '../features/images/image-processor.ts';
import { createImageRoutes } from '../features/images/image-routes.ts';
import { createImageService } from '../features/images/image-service.ts';
import { openImageStorage, removeInterrupted } from '../features/images/image-storage.ts';
import { createGroupStatisticsReadModel } from '../features/progress/group-statistics/group-statistics-read-model.ts';
import { createGroupStatisticsRoutes } from '../features/progress/group-statistics/group-statistics-routes.ts';
import { createGroupStatisticsService } from '../features/progress/group-statistics/group-statistics-service.ts';
import { createProgressReadModel } from '../features/progress/progress-read-model.ts';
import { createProgressRoutes } from '../features/progress/progress-routes.ts';
import { createProgressService } from '../features/progress/progress-service.ts';
import { createProjectHoursReadModel } from '../features/progress/project-hours-read-model.ts';
import { createProjectHoursService } from '../features/progress/project-hours-service.ts';
import {
  createAssignableReadModel,
  createProjectListReadModel,
} from '../features/projects/list/project-list-read-model.ts';
import { createProjectAccess } from '../features/projects/project-access.ts';
import { createProjectRoutes } from '../features/projects/project-routes.ts';
import { createProjectService } from '../features/projects/project-service.ts';
import { createReportLinkService } from '../features/reports/report-link-service.ts';
import { createReportReadModel } from '../features/reports/report-read-model.ts';
import { createReportRoutes } from '../features/reports/report-routes.ts';
import { createReportService } from '../features/reports/report-service.ts';
import { createImportCheck } from '../features/session-import/import-check.ts';
import { createImportRoutes } from '../features/session-import/import-routes.ts';
import { createImportService } from '../features/session-import/import-service.ts';
import { createImportRecovery, createImportWriter } from '../features/session-import/import-writer.ts';
import { createPeriodReadModel } from '../features/statistics/period-read-model.ts';
import { createStatisticsReadModel } from '../features/statistics/statistics-read-model.ts';
import { createStatisticsRoutes } from '../features/statistics/statistics-routes.ts';
import { createStatisticsService } from '../features/statistics/statistics-service.ts';
import { createCalendars, createTimeZones } from '../features/statistics/time-zones.ts';
import { createSessionListReadModel } from '../features/study-sessions/list/session-list-read-model.ts';
import { createSessionRoutes } from '../features/study-sessions/session-routes.ts';
import { createSessionService } from '../features/study-sessions/session-service.ts';
import { createTimerRoutes } from '../features/timer/timer-routes.ts';
import { createOverdueTimers, createTimerService } from '../features/timer/timer-service.ts';
import { createSendUnpaged } from '../http/unpaged-list.ts';
import { createFairQueue } from '../lib/fair-queue.ts';
import type { Job } from '../lib/jobs.ts';
import type { Platform } from './platform.ts';

export type Study = ReturnType<typeof createStudy>;

/** Projects, assignments and groups, study records, and what is computed from them. */
export function createStudy(platform: Platform) {
  const { config, database, store, clock, exporter, auditExport } = platform;
  const access = createProjectAccess({ store });
  const sendUnpaged = createSendUnpaged(exporter);
  const calendars = createCalendars(clock);
  const statisticsReadModel = createStatisticsReadModel(database);
  const timeZones = createTimeZones(statisticsReadModel);
  const awardKind = createAwardKind({ store, clock });
  const awards = createJobQueue(awardKind, platform.encryption, platform);

  const maxSeconds = Math.max(1, Math.round(config.timer.maxHours * 3600));
  const overdue = createOverdueTimers({ store, clock, maxSeconds });
  const timer = createTimerService({ store, clock, overdue });
  const lists = createSessionListReadModel(database);
  const sessions = createSessionService({ ...platform, lists, overdue });
  const projects = createProjectService({ ...platform, endTimers: timer.end });
  const assignments = createAssignmentService({ store, endTimers: timer.end });
  const imageStorage = platform.metrics.watchStorage(openImageStorage(config.images));
  const processor = createImageProcessor(config.images);
  const images = createImageService({ ...platform, storage: imageStorage, processor });

  const writer = createImportWriter({ store, clock });
  const recovery = createImportRecovery({ store, clock, writer });
  const imports = createImportService({
    ...{ store, clock, awards, overdue, writer, recovery },
    check: createImportCheck({ store, timeZones, clock }),
    // Two per process; the table allows one per user in all processes.
    queue: createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 }),
  });

  const statistics = createStatisticsService({
    readModel: statisticsReadModel,
    periods: createPeriodReadModel(database),
    ...{ timeZones, clock },
  });
  const reports = createReportService({ readModel: createReportReadModel(database), statistics });
  const reportLinks = createReportLinkService({ ...platform, reports, publicUrl: platform.ownUrl });
  const progress = createProgressService({ readModel: createProgressReadModel(database), clock });

  const jobs: Job[] = [
    { name: 'end overdue timers', everySeconds: 60, run: overdue.endAll },
    awards.job,
    { name: 'undo interrupted imports', everySeconds: 30, run: recovery.undoAllLapsed },
    { name: 'remove old imports', everySeconds: 3600, run: recovery.deleteOld },
    { name: 'remove interrupted uploads', everySeconds: 600, run: () => removeInterrupted(config.incomingDir) },
    { name: 'delete expired links to reports', everySeconds: 3600, run: reportLinks.deleteExpired },
    { name: 'delete images of projects in the trash', everySeconds: 3600, run: images.purgeTrash },
  ];
  return {
    ...{ projects, sessions, timer, awards, timeZones, lists, progress, imageStorage, jobs },
    operations: [
      ...createGroupRoutes({ groups: createGroupService({ store }) }),
      ...createProjectRoutes({
        ...{ service: projects, access, calendars, sendUnpaged },
        lists: createProjectListReadModel(database),
        assignable: createAssignableReadModel(database),
      }),
      ...createImageRoutes({ service: images, access }),
      ...createAssignmentRoutes({
        service: assignments,
        members: createMemberReadModel(database),
        access,
        sendUnpaged,
      }),
      ...createSessionRoutes({ ...platform, service: sessions, lists, overdue, access }),
      ...createTimerRoutes({ service: timer, clock }),
      ...createImportRoutes(imports),
      ...createStatisticsRoutes({ service: statistics, access }),
      ...createReportRoutes({
        ...platform,
        reports,
        links: reportLinks,
        floodPerMinute: config.contact.floodPerMinute,
      }),
      ...createGoalRoutes({ readModel: createGoalReadModel(database), calendars }),
      ...createDashboardRoutes({ readModel: createDashboardReadModel(database), calendars }),
      ...createProgressRoutes({
        progress,
        projectHours: createProjectHoursService({ readModel: createProjectHoursReadModel(database), calendars }),
        ...{ exporter, auditExport },
      }),
      ...createGroupStatisticsRoutes(
        createGroupStatisticsService({ store, calendars, readModel: createGroupStatisticsReadModel(database) }),
      ),
      ...createAchievementRoutes({ store }),
    ],
  };
}
