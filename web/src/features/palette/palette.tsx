import { CalendarPlus, ChartNoAxesColumn, FileText, FolderOpen, Play, SquareChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { TextField } from 'react-aria-components/TextField';
import { flushSync } from 'react-dom';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
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
  /** Enter runs the first result until arrow keys are used; not the Enter that ends a composition (229 in Safari). */
  const hasMoved = useRef(false);
  function onKeyDown(event: KeyboardEvent): void {
    const { key, keyCode, isComposing } = event.nativeEvent;
    if (key === 'ArrowDown' || key === 'ArrowUp') hasMoved.current = true;
    if (key !== 'Enter') return;
    const isText = isComposing || keyCode === 229;
    if (!isText && (hasMoved.current || typed.trim() === '')) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isText) run(entries[0]);
  }

  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={cx(styles.overlay)}>
      <Modal className={cx(styles.modal)}>
        <div role="dialog" aria-modal="true" aria-label={t('title')} className={cx(styles.dialog)}>
          <Autocomplete
            inputValue={typed}
            onInputChange={(text) => {
              hasMoved.current = false;
              onType(text);
            }}
          >
            <div onKeyDownCapture={onKeyDown}>
              <TextField aria-label={t(what)} type="search" autoFocus maxLength={100} className={cx(styles.field)}>
                <Input role="combobox" aria-expanded placeholder={t(what)} className={cx(styles.input)} />
              </TextField>
            </div>
            {commands.role === 'user' && wanted === 'all' && typed === '' && (
              <p className={cx(styles.none)}>{t('example')}</p>
            )}
            <p role="status" className={entries.length > 0 ? 'visually-hidden' : cx(styles.none)}>
              {entries.length > 0 ? t('count', { count: entries.length }) : t('none')}
            </p>
            <ListBox
              aria-label={t('results')}
              items={entries}
              className={cx(styles.list)}
              onAction={(key) => run(entries.find(({ id }) => id === key))}
            >
              {(entry) => <Result entry={entry} />}
            </ListBox>
          </Autocomplete>
        </div>
      </Modal>
    </ModalOverlay>
  );
}

function Result({ entry: { kind, names, keys } }: { entry: Entry }) {
  const t = useTexts(paletteMessages);
  const Icon = icons[kind];
  const name = names[0] ?? '';
  return (
    <ListBoxItem textValue={name} className={cx(styles.item)}>
      <Icon size={18} />
      <span className={styles.name}>{name}</span>
      <span className={styles.hint}>{keys === undefined ? t(kind) : <Keys of={keys} />}</span>
    </ListBoxItem>
  );
}
