import { createSendUnpaged } from '../../http/reply.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Job } from '../../lib/jobs.ts';
import { openImageStorage } from '../../lib/storage/open-storage.ts';
import type { Tx } from '../../transactions/transactions.ts';
import { createJobQueue } from '../operations/background-work/background-worker.ts';
import { createStorageCheck } from '../operations/monitoring/readings.ts';
import type { Platform } from '../operations/platform.ts';
import { createAchievementRoutes } from './achievements/achievement-routes.ts';
import { createAwardKind } from './achievements/award-kind.ts';
import { createAssignmentRoutes } from './assignments/assignment-routes.ts';
import { createAssignmentService } from './assignments/assignment-service.ts';
import { createStudyLeaving } from './assignments/leaving.ts';
import { createMemberReadModel } from './assignments/member-read-model.ts';
import { createCalendars } from './calendar/calendars.ts';
import { createDashboardRoutes } from './dashboard/dashboard-routes.ts';
import { createGoalRoutes } from './goals/goal-routes.ts';
import { createImageProcessor } from './images/image-processor.ts';
import { createImageRoutes } from './images/image-routes.ts';
import { createImageService } from './images/image-service.ts';
import { removeInterrupted } from './images/image-storage.ts';
import { createProjectAccess } from './project-access/project-access.ts';
import { createAssignableReadModel, createProjectListReadModel } from './projects/list/project-list-read-model.ts';
import { createProjectRoutes } from './projects/project-routes.ts';
import { createProjectService } from './projects/project-service.ts';
import { createImportCheck } from './session-import/import-check.ts';
import { createImportRoutes } from './session-import/import-routes.ts';
import { createImportService } from './session-import/import-service.ts';
import { createImportRecovery, createImportWriter } from './session-import/import-writer.ts';
import { createStatisticsRoutes } from './statistics/statistics-routes.ts';
import { createStatisticsService } from './statistics/statistics-service.ts';
import { createSessionListReadModel } from './study-sessions/list/session-list-read-model.ts';
import { createSessionRoutes } from './study-sessions/session-routes.ts';
import { createSessionService } from './study-sessions/session-service.ts';
import { createTagRoutes } from './tags/tag-routes.ts';
import { createTagService } from './tags/tag-service.ts';
import { createTimerRoutes } from './timer/timer-routes.ts';
import { createOverdueTimers, createTimerService } from './timer/timer-service.ts';

export type Study = ReturnType<typeof createStudy>;

/** Projects, assignments, study records, and what is computed from them. */
export function createStudy(platform: Platform) {
  const { config, database, store, clock, lifecycle, exporter, timeZones } = platform;
  const access = createProjectAccess({ store });
  const sendUnpaged = createSendUnpaged(exporter);
  const calendars = createCalendars(clock);
  const awardKind = createAwardKind({ store, clock });
  const awards = createJobQueue(awardKind, platform.encryption, platform);

  const maxSeconds = Math.max(1, Math.round(config.timer.maxHours * 3600));
  const overdue = createOverdueTimers({ store, clock, maxSeconds });
  const timer = createTimerService({ store, clock, overdue });
  const lists = createSessionListReadModel(database);
  const sessions = createSessionService({ ...platform, lists, overdue });
  const projects = createProjectService({ ...platform, endTimers: timer.end });
  // A batch that waited for another one's locks would hold a connection, and its snapshot would keep the replaced rows.
  const assignmentQueue = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 10, waitSeconds: 10 });
  const assignments = createAssignmentService({ store, endTimers: timer.end, queue: assignmentQueue });
  const imageStorage = platform.metrics.watchStorage(openImageStorage(config.images));
  const processor = createImageProcessor(config.images);
  const images = createImageService({ ...platform, storage: imageStorage, processor });

  const writer = createImportWriter({ store, clock });
  const recovery = createImportRecovery({ store, clock, lifecycle, writer });
  const imports = createImportService({
    store,
    clock,
    lifecycle,
    shutdownSeconds: config.shutdownSeconds,
    awards,
    overdue,
    writer,
    recovery,
    check: createImportCheck({ store, timeZones, clock, lifecycle }),
    // Two per process; the table allows one per user in all processes.
    queue: createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 }),
  });

  const statistics = createStatisticsService({ ...platform, weekdays: config.schoolYear.weekdays });

  const jobs: Job[] = [
    { name: 'end overdue timers', everySeconds: 60, run: overdue.endAll },
    awards.job,
    { name: 'undo interrupted imports', everySeconds: 30, run: recovery.undoAllLapsed },
    { name: 'remove old imports', everySeconds: 3600, run: recovery.deleteOld },
    { name: 'remove interrupted uploads', everySeconds: 600, run: () => removeInterrupted(config.incomingDir) },
    createStorageCheck(imageStorage, platform.logger),
    { name: 'delete images of projects in the trash', everySeconds: 3600, run: images.purgeTrash },
  ];
  return {
    access,
    projects,
    sessions,
    timer,
    lists,
    calendars,
    statistics,
    imageStorage,
    jobs,
    leaving: createStudyLeaving(timer.end),
    recomputeAwards: (tx: Tx, user_id: number) => awards.enqueue(tx, { user_id, project_ids: [] }, { sender: user_id }),
    operations: [
      ...createProjectRoutes({
        service: projects,
        access,
        calendars,
        sendUnpaged,
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
      ...createTagRoutes({ tags: createTagService({ store }) }),
      ...createImportRoutes(imports),
      ...createStatisticsRoutes({ service: statistics, access }),
      ...createGoalRoutes({ store, calendars }),
      ...createDashboardRoutes({ store, calendars }),
      ...createAchievementRoutes({ store }),
    ],
  };
}
