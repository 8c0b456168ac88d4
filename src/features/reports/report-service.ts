import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Reader } from '../projects/project-access.ts';
import type { StatisticsService } from '../statistics/statistics-service.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { ReportReadModel } from './report-read-model.ts';
import type { ReportData } from './report-schemas.ts';

/** As many as leave room for the weeks and a comment on one printed page. */
const maxProjects = 12;

export type ReportServiceOptions = { readModel: ReportReadModel; statistics: Pick<StatisticsService, 'ofPeriod'> };
export type ReportService = ReturnType<typeof createReportService>;

export function createReportService({ readModel, statistics }: ReportServiceOptions) {
  async function requireStudent(reader: Reader, userId: number) {
    if (userId !== reader.id && reader.role !== 'admin') throw new PermissionDeniedError('report_not_yours');
    const student = await readModel.findStudent(userId);
    if (student === undefined) throw new NotFoundError('user_not_found');
    return student;
  }

  return {
    requireStudent,

    /** What a student has studied in a period, without notes: for the student and administrators. */
    async read(reader: Reader, userId: number, { from, to }: { from: string; to: string }): Promise<ReportData> {
      const student = await requireStudent(reader, userId);
      const { timezone } = student;
      const { figures, hours_per_week, studied } = await statistics.ofPeriod(
        reader,
        { id: userId, timezone },
        { from, to },
      );
      const { total_hours, study_days, previous, weekly, daily } = figures;
      const seconds = new Map(studied);
      const projects = await readModel.listProjects(reader, userId, [...seconds.keys()], maxProjects);
      return {
        display_name: student.display_name,
        groups: reader.role === 'admin' ? student.groups : [],
        ...{ from, to, days: daily.length, total_hours, hours_per_week, study_days },
        previous_hours: previous?.total_hours ?? 0,
        projects: projects.map(({ id, others: _, target_hours, ...project }) => ({
          ...project,
          hours: hoursOf(seconds.get(id) ?? 0),
          target_hours: target_hours === 0 ? null : target_hours,
        })),
        more_projects: studied.length + (projects[0]?.others ?? 0) - projects.length,
        weekly: weekly.map((week) => ({ first_day: week.first_day, hours: week.hours })),
      };
    },
  };
}
