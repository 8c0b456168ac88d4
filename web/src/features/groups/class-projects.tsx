import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { shownPercent } from '../../lib/percent.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card, Empty } from '../../ui/page.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import bar from '../projects/target-meter.module.css';
import { evenPace } from '../projects/target-meter.tsx';
import { classMessages } from './class-messages.ts';
import styles from './class-projects.module.css';
import type { Statistics } from './class-queries.ts';

const states = ['on_track', 'slowing', 'behind', 'overdue', 'not_started', 'done'] as const;

/** The projects of a class, with how many students are on track, behind and not started. */
export function ClassProjects({
  statistics,
  isOnlyActive = false,
}: {
  statistics: Statistics;
  isOnlyActive?: boolean;
}) {
  const t = useTexts(classMessages);
  const projects = statistics.projects.filter(({ status }) => !isOnlyActive || status === 'active');
  const rest = statistics.projects_total - statistics.projects.length;
  return (
    <Card title={t('projects_of')} {...(isOnlyActive && { context: t('only_active') })} isFlush className="whole">
      {projects.length === 0 && <Empty>{t('no_projects')}</Empty>}
      {projects.length > 0 && (
        <div className={styles.scroll}>
          <table className={cx(table.table, table.blocks, styles.projects)} aria-label={t('projects_of')}>
            <thead>
              <tr>
                <th scope="col">{t('project')}</th>
                <th scope="col">{t('due')}</th>
                <th scope="col">{t('progress')}</th>
                {states.map((name) => (
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
              {projects.map((project) => (
                <Row key={project.project_id} project={project} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rest > 0 && <p className={table.foot}>{t('more_projects', { count: rest })}</p>}
    </Card>
  );
}

type Project = Statistics['projects'][number];

function Row({ project }: { project: Project }) {
  const t = useTexts(classMessages);
  const marks = useMarks();
  const dates = useFormats('UTC'); // a due date has no time
  const today = useOwnFormats().isoDay(Date.now());
  const { project_id: id, project_name: name, due_date: due, target_hours: target } = project;
  const even = due === null || target <= 0 ? undefined : evenPace(project.began_on, due, Date.parse(today));
  const share = shownPercent(project.progress ?? 0);
  return (
    <tr data-hue={project.color}>
      <th scope="row">
        <span className={cx(table.named, styles.project)}>
          <Link href={href('project', { id })}>{name}</Link>
        </span>
      </th>
      <td className={table.muted}>{due === null ? '–' : dates.shortDate(due)}</td>
      <td>
        {project.progress === null ? (
          t('hours_average', { hours: dates.shortHours(project.hours / Math.max(1, project.users_count)) })
        ) : (
          <span className={styles.share}>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <line className={bar.track} x2="100" y1="2" y2="2" />
              {share > 0 && <line className={bar.fill} x2={share} y1="2" y2="2" />}
              {even !== undefined && <line className={bar.tick} x1={even} x2={even} y1="-5" y2="9" />}
            </svg>
            <span>
              {t(project.target_scope === 'each' ? 'percent_average' : 'percent_together', {
                percent: Math.round(share),
              })}
            </span>
            {even !== undefined && (
              <span className="visually-hidden">{t('even_pace', { percent: Math.round(even) })}</span>
            )}
          </span>
        )}
      </td>
      {states.map((state) => (
        <td
          key={state}
          className={cx(table.end, state === 'behind' && project.behind > 0 && styles.behind)}
          data-name={t(state)}
        >
          {project[state]}
        </td>
      ))}
      <td className={table.wide}>
        <Sparkline
          label={t('weeks_are', { hours: marks.list(project.weeks.map(dates.number)) })}
          values={project.weeks}
        />
      </td>
    </tr>
  );
}
