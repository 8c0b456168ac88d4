import { CircleHelp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './explain.module.css';

type Props = {
  /** The button's accessible name. */
  label: string;
  title: string;
  children: ReactNode;
};

/** A small button beside a figure that opens an explanation. */
export function Explain({ label, title, children }: Props) {
  const common = useTexts(commonMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.ask} aria-label={label} onClick={() => setOpen(true)}>
        <CircleHelp size={16} />
      </button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        {children}
        <Button onPress={() => setOpen(false)}>{common('close')}</Button>
      </Dialog>
    </>
  );
}
