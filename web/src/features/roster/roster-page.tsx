import { useState } from 'react';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMail } from '../../lib/use-meta.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DropFile } from '../../ui/drop-file.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { rosterMessages } from './messages.ts';
import styles from './roster.module.css';
import { isRunning, type Roster, type RosterOptions, sendRoster, useRoster, useRosters } from './roster-queries.ts';
import { RosterResult } from './roster-result.tsx';

const firstOptions: RosterOptions = { missing: 'keep', invite: false };

/** Applies a school's list of accounts: a file, the difference, the result. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function RosterPage() {
  const t = useTexts(rosterMessages);
  const problem = useProblem();
  const rosters = useRosters();
  const [file, setFile] = useState<File>();
  const [id, setId] = useState<number>();
  const [closed, setClosed] = useState<number>();
  const [options, setOptions] = useState(firstOptions);
  const {
    run,
    isRunning: isSending,
    error,
  } = useAction(async (sent: File, isDry: boolean) => {
    setFile(sent);
    setId((await sendRoster(sent, options, isDry)).id);
  });
  // One that is running when the page is opened is shown, and stays when it ends.
  const running = rosters.find((roster) => isRunning(roster) && roster.id !== closed)?.id;
  if (id === undefined && running !== undefined) setId(running);
  function restart(): void {
    setFile(undefined);
    setId(undefined);
    setClosed(id);
    setOptions(firstOptions); // each file needs its own choice
  }
  return (
    <Page title={t('title')}>
      <div className={styles.roster}>
        {error !== undefined && !isSending && (
          <Notice kind="error">{fieldProblem(error, 'file') ?? problem(error)}</Notice>
        )}
        {id === undefined && (
          <DropFile
            label={t('select_file')}
            drop={t('drop')}
            about={t('about')}
            accept=".csv,.tsv,.txt,.zip,text/csv,application/zip"
            isDisabled={isSending}
            onFile={(dropped) => void run(dropped, true)}
          />
        )}
        {id !== undefined && <RosterResult key={id} id={id} />}
        {id !== undefined && (
          <Apply
            id={id}
            options={options}
            isSending={isSending}
            onOptions={setOptions}
            onApply={file && (() => void run(file, false))}
            onRestart={restart}
          />
        )}
        {id === undefined && <EarlierRosters rosters={rosters} onOpen={setId} />}
      </div>
    </Page>
  );
}

type ApplyProps = {
  id: number;
  options: RosterOptions;
  isSending: boolean;
  onOptions: (options: RosterOptions) => void;
  onApply: (() => void) | undefined;
  onRestart: () => void;
};

/** What to do with a difference. */
function Apply({ id, options, isSending, onOptions, onApply, onRestart }: ApplyProps) {
  const t = useTexts(rosterMessages);
  const hasMail = useMail() === true;
  const roster = useRoster(id, undefined, 1)?.roster;
  if (roster === undefined || isRunning(roster)) return null;
  const { counts, dry_run, errors_count } = roster;
  const isOffered = dry_run && errors_count === 0 && counts !== null && onApply !== undefined;
  return (
    <div className={styles.content}>
      {isOffered && counts.missing > 0 && (
        <div>
          <Select
            label={t('missing_accounts')}
            value={options.missing}
            onChange={(missing) => onOptions({ ...options, missing, missingCount: counts.missing })}
            options={(['keep', 'deactivate'] as const).map((missing) => [missing, t(missing)])}
          />
          {options.missing === 'deactivate' && (
            <p className="muted">{t('deactivate_why', { count: counts.missing })}</p>
          )}
        </div>
      )}
      {isOffered && counts.new > 0 && hasMail && (
        <Checkbox isSelected={options.invite} onChange={(invite) => onOptions({ ...options, invite })}>
          {t('invite')}
        </Checkbox>
      )}
      <div className="row">
        {isOffered && (
          <Button look="primary" isPending={isSending} onPress={onApply}>
            {t('apply')}
          </Button>
        )}
        <Button isDisabled={isSending} onPress={onRestart}>
          {t('another')}
        </Button>
      </div>
    </div>
  );
}

/** Those that were not only compared. */
function EarlierRosters({ rosters, onOpen }: { rosters: readonly Roster[]; onOpen: (id: number) => void }) {
  const t = useTexts(rosterMessages);
  const formats = useOwnFormats();
  const shown = rosters.filter(({ dry_run }) => !dry_run);
  if (shown.length === 0) return null;
  return (
    <Card title={t('earlier')}>
      <ul className="lines">
        {shown.map(({ id, created_at, state, requested_by }) => {
          const when = formats.dateTime(created_at);
          return (
            <li key={id}>
              <span>
                {when} <span className="muted">{`${requested_by.username} · ${t(`state_${state}`)}`}</span>
              </span>
              <Button aria-label={t('open', { when })} onPress={() => onOpen(id)}>
                {t('show')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
