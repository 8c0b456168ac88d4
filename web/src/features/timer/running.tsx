import { Square } from 'lucide-react';
import { optional } from '../../lib/loadable.tsx';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { timerMessages } from './messages.ts';
import { Elapsed, NoteField, ProjectMenu, RunningTools } from './running-parts.tsx';
import { StartTime } from './start-time.tsx';
import styles from './timer.module.css';
import timerParts from './timer-parts.module.css';
import { TimerTags } from './timer-tags.tsx';
import { type RunningProps, useRunning } from './use-running.ts';

const StillStudying = optional(() => import('./still-studying.tsx'));
/** Shorter timers are not asked about. */
const longSeconds = 2 * 3600;

/** The running timer: everything about it can be changed. On a phone it is a strip that opens to a sheet. */
export function Running({ isSheet, ...props }: RunningProps & { isSheet: boolean }) {
  const t = useTexts(timerMessages);
  const running = useRunning(props);
  const { timer, elapsed, latest, isStopping, error } = running;
  const clock = <Elapsed project={timer.project_name} seconds={elapsed} />;
  const since = <StartTime timer={timer} lastEnd={running.lastEnd} onMove={running.move} />;
  const tags = <TimerTags timer={timer} onChange={running.setTags} />;
  const stop = (
    <Button
      look="stop"
      icon={<Square size={14} fill="currentColor" />}
      isPending={isStopping}
      onPress={() => running.stop()}
    >
      <span className={styles.verb}>{t('stop')}</span>
    </Button>
  );
  const still = elapsed > longSeconds && (
    <StillStudying timer={timer} minSeconds={longSeconds} latest={latest} onEnd={(endedAt) => running.stop(endedAt)} />
  );
  if (isSheet)
    return (
      <>
        <div className={timerParts.sheetHead}>
          <ProjectMenu running={running} />
          <RunningTools running={running} />
        </div>
        <div className={timerParts.bigClock}>
          {clock}
          {since}
        </div>
        <NoteField running={running} />
        {tags}
        {still}
        <Problem error={error} />
        <div className={timerParts.sheetFoot}>
          <Button look="danger" onPress={running.discard}>
            {t('discard')}
          </Button>
          {stop}
        </div>
      </>
    );
  return (
    <>
      {clock}
      <div className={timerParts.short}>
        <span>
          <strong>{timer.project_name}</strong>
          <small>{running.draft.value.note}</small>
        </span>
      </div>
      <div className={timerParts.more}>
        <ProjectMenu running={running} />
        <NoteField running={running} />
        {tags}
        {since}
        <RunningTools running={running} />
      </div>
      {stop}
      {still}
      <Problem error={error} />
    </>
  );
}
