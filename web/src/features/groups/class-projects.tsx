import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card, Empty } from '../../ui/page.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { evenPace } from '../projects/target-meter.tsx';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import type { Statistics } from './class-queries.ts';

/** The projects of a class, with how many students are on track, behind and not started. */
export function ClassProjects({
  statistics,
  isOnlyActive = false,
}: {
  statistics: Statistics;
  isOnlyActive?: boolean;
}) {
  const t = useTexts(classMessages);
  const dates = useFormats('UTC'); // a due date has no time
  const today = useFormats(useAccount().timezone).isoDay(Date.now());
  const projects = statistics.projects.filter(({ status }) => !isOnlyActive || status === 'active');
  const rest = statistics.projects_total - statistics.projects.length;
  return (
    <Card title={t('projects_of')} isFlush className={styles.whole}>
      {projects.length === 0 && <Empty>{t('no_projects')}</Empty>}
      {projects.length > 0 && (
        <div className={styles.scroll}>
          <table className={table.table} aria-label={t('projects_of')}>
            <thead>
              <tr>
                <th scope="col">{t('project')}</th>
                <th scope="col">{t('due')}</th>
                <th scope="col">{t('average')}</th>
                {(['on_track', 'behind', 'not_started', 'done'] as const).map((name) => (
                  <th key={name} scope="col" className={table.end}>
                    {t(name)}
                  </th>
                ))}
                <th scope="col" className={table.wide}>
                  {t('weeks')}
                </th>
              </tr>
            </thead>
            <tbody>
              {projects.map((project) => {
                const share = shareOf(project);
                const { began_on, due_date } = project;
                const even =
                  due_date === null || project.target_hours <= 0
                    ? undefined
                    : evenPace(began_on, due_date, Date.parse(today));
                return (
                  <tr key={project.project_id} data-hue={project.color}>
                    <th scope="row">
                      <span className={cx(table.named, styles.project)}>
                        <Link href={href('project', { id: project.project_id })}>{project.project_name}</Link>
                      </span>
                    </th>
                    <td className={table.muted}>
                      {project.due_date === null ? '–' : dates.shortDate(project.due_date)}
                    </td>
                    <td>
                      {share === undefined ? (
                        dates.shortHours(project.hours / Math.max(1, project.users_count))
                      ) : (
                        <span className={styles.share}>
                          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                            <rect className={styles.track} width="100" height="4" rx="2" />
                            <rect className={styles.fill} width={share} height="4" rx={Math.min(2, share / 2)} />
                            {even !== undefined && (
                              <rect className={styles.tick} x={even - 0.7} y="-5" width="1.4" height="14" />
                            )}
                          </svg>
                          {t('percent', { percent: Math.round(share) })}
                          {even !== undefined && (
                            <span className="visually-hidden">{t('even_pace', { percent: Math.round(even) })}</span>
                          )}
                        </span>
                      )}
                    </td>
                    <td className={table.end}>{project.on_track}</td>
                    <td className={cx(table.end, project.behind > 0 && styles.behind)}>{project.behind}</td>
                    <td className={table.end}>{project.not_started}</td>
                    <td className={table.end}>{project.done}</td>
                    <td className={table.wide}>
                      <Sparkline
                        label={t('weeks_are', { hours: project.weeks.map((hours) => dates.number(hours)).join(', ') })}
                        values={project.weeks}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {rest > 0 && <p className={table.foot}>{t('more_projects', { count: rest })}</p>}
    </Card>
  );
}

/** The mean of the members' shares of their target, or the members' share of a common one, in percent. */
function shareOf({
  target_hours,
  target_scope,
  users_count,
  hours,
}: Statistics['projects'][number]): number | undefined {
  if (target_hours <= 0) return undefined;
  const target = target_scope === 'each' ? target_hours * Math.max(1, users_count) : target_hours;
  return Math.min(100, (hours / target) * 100);
}
