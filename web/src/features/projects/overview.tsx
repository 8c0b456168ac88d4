import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { Loading } from '../../ui/loading.tsx';
import { useRecords } from '../study-sessions/session-queries.ts';
import { ClassCard } from './class-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { useForecast } from './forecast-queries.ts';
import { LatestRecords } from './latest-records.tsx';
import styles from './overview.module.css';
import { type ShownProject, useOwnProjectStatistics, useProjectStatistics } from './project-queries.ts';
import { useProjectRecords } from './project-records.tsx';
import projectStyles from './projects.module.css';
import { TrackCard } from './track-card.tsx';
import { WeeksCard } from './weeks-card.tsx';

type Props = { project: ShownProject; recordsAt: string };

/** Whether the target will be reached, the figures behind it, and the last records and weeks. */
export function Overview({ project, recordsAt }: Props) {
  const { id: userId, role, timezone, day_start_hour, week_start } = useAccount();
  const isAdmin = role === 'admin';
  const forecasting = useForecast(project.id);
  const { data: forecast } = forecasting;
  const ofOwn = useOwnProjectStatistics(project.id);
  const { data: own } = ofOwn;
  const ofAll = useProjectStatistics(project.id, isAdmin || forecast?.hours_of === 'all');
  const { data: everybody } = ofAll;
  const ofOthers = useProjectRecords(project.id, isAdmin);
  const ofSelf = useRecords(userId, project.id);
  const records = (isAdmin ? ofOthers : ofSelf).data?.pages[0]?.sessions;
  const today = createDays(timezone, day_start_hour).dateOf(Date.parse(outbox.now()));
  // What the target counts: one's own hours, or everybody's.
  const counted = forecast?.hours_of === 'caller' ? own : everybody;
  const shown = isAdmin ? everybody : own;
  return (
    <>
      {project.image !== undefined && <img className={projectStyles.banner} src={project.image} alt="" />}
      {project.description !== '' && <p className={projectStyles.description}>{project.description}</p>}
      {forecast === undefined || counted === undefined || shown === undefined ? (
        <Loading
          of={[forecasting, isAdmin ? ofAll : ofOwn, ...(forecast?.hours_of === 'all' ? [ofAll] : [])]}
          lines={8}
        />
      ) : (
        <div className={styles.grid}>
          <TrackCard project={project} forecast={forecast} statistics={counted} today={today} />
          <FactsCard project={project} forecast={forecast} statistics={shown} today={today} />
          <ClassCard project={project} own={isAdmin ? undefined : own} />
          <LatestRecords
            records={records}
            count={isAdmin ? project.sessions_count : shown.total_sessions}
            allAt={recordsAt}
          />
          <WeeksCard project={project} daily={shown.daily} today={today} weekStart={week_start} isOwn={!isAdmin} />
        </div>
      )}
    </>
  );
}
