import { CalendarPlus, ChartNoAxesColumn, FileText, FolderOpen, Play, SquareChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { useCombobox } from '../../ui/combobox.tsx';
import { Modal, takeFocus } from '../../ui/modal.tsx';
import { Keys } from '../help/keys.tsx';
import type { Commands, Entry } from './entries.ts';
import { paletteMessages } from './messages.ts';
import styles from './palette.module.css';
import { useResults } from './search.ts';

const icons = {
  add: CalendarPlus,
  command: SquareChevronRight,
  page: FileText,
  project: FolderOpen,
  start: Play,
  person: ChartNoAxesColumn,
};

type Props = Commands & {
  wanted: 'all' | 'start';
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
};

/** The command palette: searches commands, pages, projects and students. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Palette({ wanted, typed, onType, onClose, ...commands }: Props) {
  const t = useTexts(paletteMessages);
  const entries = useResults(commands, wanted, typed);
  const what = wanted === 'start' ? 'which' : commands.role === 'admin' ? 'what_admin' : 'what';

  function run(entry: Entry | undefined): void {
    if (entry === undefined) return;
    flushSync(onClose); // otherwise the dialog would take the focus from the field that the command focuses
    entry.run();
  }
  const combobox = useCombobox({
    label: t('results'),
    count: entries.length,
    preferred: typed.trim() === '' ? undefined : 0,
    isAlwaysOpen: true,
    onChoose: (index) => run(entries[index]),
  });
  /** Not the Enter that ends a composition (229 in Safari). */
  function onKeyDown(event: KeyboardEvent): void {
    const { isComposing, keyCode } = event.nativeEvent;
    if (!isComposing && keyCode !== 229) combobox.onKey(event);
  }

  return (
    <Modal aria-label={t('title')} className={cx(styles.overlay)} onClose={onClose}>
      <div className={styles.modal}>
        <input
          {...combobox.inputProps}
          ref={takeFocus}
          type="search"
          aria-label={t(what)}
          placeholder={t(what)}
          maxLength={100}
          className={styles.input}
          value={typed}
          onChange={({ target }) => {
            combobox.reset();
            onType(target.value);
          }}
          onKeyDown={onKeyDown}
        />
        {commands.role === 'user' && wanted === 'all' && typed === '' && <p className={styles.none}>{t('example')}</p>}
        <p role="status" className={entries.length > 0 ? 'visually-hidden' : cx(styles.none)}>
          {entries.length > 0 ? t('count', { count: entries.length }) : t('none')}
        </p>
        {combobox.list(
          styles.list,
          entries.map((entry, index) => combobox.option(index, <Result entry={entry} />, cx(styles.item))),
        )}
      </div>
    </Modal>
  );
}

function Result({ entry: { kind, names, keys } }: { entry: Entry }) {
  const t = useTexts(paletteMessages);
  const Icon = icons[kind];
  return (
    <>
      <Icon size={18} />
      <span className={styles.name}>{names[0]}</span>
      <span className={styles.hint}>{keys === undefined ? t(kind) : <Keys of={keys} />}</span>
    </>
  );
}
