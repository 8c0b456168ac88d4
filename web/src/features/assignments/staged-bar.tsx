import { Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useMarks } from '../../lib/marks.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/page.tsx';
import type { Project, Student } from './board-queries.ts';
import { sizeOf } from './changes.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { assignMessages } from './messages.ts';
import styles from './staged-bar.module.css';
import type { Board, Result } from './use-board.ts';

type Props = { board: Board; projects: readonly Project[]; students: readonly Student[]; isGrid: boolean };

/** Summary of the staged changes, the buttons to apply them, and the result. */
export function StagedBar({ board, projects, students, isGrid }: Props) {
  const t = useTexts(assignMessages);
  const [isOpen, setOpen] = useState(false);
  const { staged, progress, result } = board;
  const isNothing = staged.add + staged.remove === 0;
  useUndoKey(board.undo);
  return (
    <div className={styles.bar}>
      {result !== undefined && (
        <ResultNotice result={result} onUndo={board.undo} projects={projects} students={students} />
      )}
      {progress !== undefined && <Progress percent={progress * 100} label={t('applying')} />}
      <div className={cx(styles.staged, !board.isStaged && styles.idle)}>
        <p role="status">
          {board.isStaged ? t('staged', staged) : result === undefined && t(isGrid ? 'first_grid' : 'first')}
        </p>
        <div className={styles.buttons}>
          <Button look="quiet" isDisabled={isNothing} onPress={() => setOpen(true)}>
            {t('see')}
          </Button>
          <Button isDisabled={!board.isStaged || progress !== undefined} onPress={board.discard}>
            {t('discard')}
          </Button>
          <Button
            look="primary"
            isPending={isNothing || progress !== undefined} // not disabled: it would lose the focus
            onPress={() => void board.apply()}
          >
            {t('apply')}
          </Button>
        </div>
      </div>
      {!board.isStaged && result === undefined && <p className={styles.keys}>{t(isGrid ? 'keys_grid' : 'keys')}</p>}
      {isOpen && (
        <ChangesDialog
          changes={board.changes()}
          projects={projects}
          students={students}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

const maxFailures = 20;

type ResultProps = Omit<Props, 'board' | 'isGrid'> & { result: Result; onUndo: (() => void) | undefined };

function ResultNotice({ result: { done, failures, error, isUndone }, onUndo, projects, students }: ResultProps) {
  const t = useTexts(assignMessages);
  const problem = useProblem();
  const marks = useMarks();
  const add = sizeOf(done.add);
  const remove = sizeOf(done.remove);
  const projectName = (id: number) => projects.find((project) => project.id === id)?.name ?? `#${id}`;
  const studentName = (id: number | null) => students.find((student) => student.id === id)?.display_name ?? `#${id}`;
  // The button that had the focus may have been removed.
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) own.current?.focus();
  }, []);
  return (
    <div ref={own} tabIndex={-1} className={styles.results}>
      {error !== undefined && (
        <Notice kind="error">
          {problem(error)} {t('stopped')}
        </Notice>
      )}
      {failures.length > 0 && (
        <Notice kind="error">
          <p>{t('failed', { count: failures.length })}</p>
          <ul>
            {failures.slice(0, maxFailures).map(({ project_id, user_id, message }) => (
              <li key={`${project_id} ${user_id}`}>
                {studentName(user_id)} · {projectName(project_id)}
                {marks.colon}
                {message}
              </li>
            ))}
          </ul>
          {failures.length > maxFailures && <p>{t('and_more', { count: failures.length - maxFailures })}</p>}
        </Notice>
      )}
      <div className={styles.result}>
        {(error === undefined || add + remove > 0) && (
          <Notice kind="success">{isUndone ? t('undone') : t('applied', { add, remove })}</Notice>
        )}
        {onUndo !== undefined && (
          <Button icon={<Undo2 size={18} />} onPress={onUndo} aria-keyshortcuts="Control+Z">
            {t('undo')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Ctrl+Z or ⌘Z, except in inputs, where it undoes typing. */
function useUndoKey(undo: (() => void) | undefined): void {
  useEffect(() => {
    if (undo === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input');
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping) return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [undo]);
}
