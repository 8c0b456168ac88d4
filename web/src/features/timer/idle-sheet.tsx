import { Check, PencilLine, Play, Search } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import pill from '../../ui/filter-chip.module.css';
import { usePlan } from '../plan/use-plan.ts';
import type { Project } from '../projects/project-queries.ts';
import styles from './idle-sheet.module.css';
import { timerMessages } from './messages.ts';
import { lastEndOf, useChoices } from './project-choice.tsx';
import type { StartOptions } from './timer-queries.ts';

const maxShown = 4;

type Props = {
  project: Project | undefined;
  note: string;
  onNote: (note: string) => void;
  onChoose: (project: Project) => void;
  onStart: (project: Project, options: StartOptions) => void;
  isStarting: boolean;
};

/** On a phone: what is studied next in one column, within reach of a thumb. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function IdleSheet({ project, note, onNote, onChoose, onStart, isStarting }: Props) {
  const t = useTexts(timerMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const plan = usePlan()?.plan;
  const all = useChoices('');
  const found = useChoices(note);
  // A note that names no project does not empty the list.
  const matches = [...found.recent, ...found.others];
  const choices = (matches.length > 0 ? matches : [...all.recent, ...all.others]).slice(0, maxShown);
  const lastEnd = lastEndOf(all.latest);
  const begins: [text: string, options: StartOptions][] = [
    [t('right_now'), {}],
    [t('ago', { count: 5 }), { minutesAgo: 5 }],
    [t('ago', { count: 15 }), { minutesAgo: 15 }],
    ...(lastEnd === undefined
      ? []
      : ([[t('last_end_short', { time: formats.time(lastEnd) }), { startedAt: lastEnd }]] as [string, StartOptions][])),
  ];
  const [begin, setBegin] = useState(0);
  const leftOf = (id: number) => plan?.items.find((item) => item.project.id === id)?.left ?? 0;
  return (
    <>
      <label className={styles.what}>
        <PencilLine size={16} />
        <input
          aria-label={t('note_placeholder')}
          placeholder={t('note_placeholder')}
          maxLength={500}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      </label>
      <ul className={styles.choices}>
        {choices.map(({ project: choice, note: last }) => (
          <li key={choice.id}>
            <button
              type="button"
              data-hue={choice.color}
              aria-pressed={choice.id === project?.id}
              onClick={() => onChoose(choice)}
            >
              <span className={`tab ${styles.tab}`} />
              <span className={styles.name}>
                <strong>{choice.name}</strong>
                <small>
                  {marks.facts([
                    last,
                    leftOf(choice.id) > 0 && t('left_today', { duration: formats.duration(leftOf(choice.id)) }),
                  ])}
                </small>
              </span>
              {choice.id === project?.id && <Check size={18} />}
            </button>
          </li>
        ))}
        <li>
          <Link href={href('projects')}>
            <Search size={16} />
            {t('all_count', { count: all.projects?.length ?? 0 })}
          </Link>
        </li>
      </ul>
      <div className={styles.begins}>
        {begins.map(([text], index) => (
          <button
            key={text}
            type="button"
            className={pill.filter}
            aria-pressed={index === begin}
            onClick={() => setBegin(index)}
          >
            {text}
          </button>
        ))}
      </div>
      {project !== undefined && (
        <span className={styles.start} data-hue={project.color}>
          <Button
            look="stop"
            wide
            icon={<Play size={16} fill="currentColor" />}
            isPending={isStarting}
            onPress={() => onStart(project, begins[begin]?.[1] ?? {})}
          >
            {t('start_named', { project: project.name })}
          </Button>
        </span>
      )}
    </>
  );
}
