import type { Reader } from '../../../actor.ts';
import { isAdministrator } from '../../../actor.ts';
import type { Moment, Periods } from '../../../db/periods.ts';
import type { Clock } from '../../../lib/clock.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { requireReaderOf } from '../../accounts/admin-scope/admin-scope.ts';
import { maxPeriodDays } from '../../study/statistics/period-schemas.ts';
import type { StatisticsService } from '../../study/statistics/statistics-service.ts';
import * as readModel from './report-read-model.ts';
import type { ReportData } from './report-schemas.ts';

/** As many as leave room for the weeks and a comment on one printed page. */
const maxProjects = 12;

export type ReportServiceOptions = {
  store: Db;
  statistics: Pick<StatisticsService, 'ofPeriod'>;
  periods: Periods;
  clock: Clock;
};
type Given = { from: Moment; to: Moment };
export type ReportService = ReturnType<typeof createReportService>;

export function createReportService({ store, statistics, periods, clock }: ReportServiceOptions) {
  async function requireStudent(reader: Reader, userId: number) {
    if (userId !== reader.id && reader.role === 'user') throw new PermissionDeniedError('report_not_yours');
    const student = await readModel.findStudent(store, reader, userId);
    if (student === undefined) throw new NotFoundError('user_not_found');
    await requireReaderOf(store, reader, userId, 'report_not_yours');
    return student;
  }

  const periodOf = (userId: number, given: Given) =>
    periods.period({ user_id: userId }, given, { maxDays: maxPeriodDays });

  return {
    requireStudent,
    periodOf,

    /** What a student has studied in a period, without notes: for the student and administrators. */
    async read(reader: Reader, userId: number, given: Given): Promise<ReportData> {
      const student = await requireStudent(reader, userId);
      const { timezone } = student;
      const { from, to } = await periodOf(userId, given);
      const { figures, hours_per_week, studied } = await statistics.ofPeriod(
        reader,
        { id: userId, timezone },
        { from, to },
      );
      const { total_hours, study_days, previous, weekly, daily, by_project } = figures;
      const hours = new Map(by_project.slice(0, maxProjects).map((project) => [project.project_id, project.hours]));
      const days = { zone: timezone, from, to, now: clock() };
      const projects = await readModel.listProjects(store, reader, userId, [...hours.keys()], days, maxProjects);
      return {
        display_name: student.display_name,
        groups: isAdministrator(reader) ? student.groups : [],
        from,
        to,
        days: daily.length,
        total_hours,
        hours_per_week,
        study_days,
        is_running: figures.is_running,
        school_days: figures.school_days,
        previous_hours: previous?.total_hours ?? 0,
        previous_school_days: previous?.school_days ?? 0,
        projects: projects.map(({ id, others: _, target_hours, ...project }) => ({
          ...project,
          hours: hours.get(id) ?? 0,
          target_hours: target_hours === 0 ? null : target_hours,
        })),
        more_projects: studied + (projects[0]?.others ?? 0) - projects.length,
        weekly: weekly.map((week) => ({ first_day: week.first_day, hours: week.hours })),
      };
    },
  };
}
