import { Fragment } from 'react';
import { isMac } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './help.module.css';
import { helpMessages } from './messages.ts';

const names: Readonly<Record<string, string>> = { mod: isMac ? '⌘' : 'Ctrl', '-': '−' };

/** Keys as they are printed on a keyboard: Ctrl K, ⇧ S. */
export const keyNames = (keys: string): string[] =>
  keys.split(' ').flatMap((key) => {
    const isCapital = /^[A-Z]$/.test(key);
    return [...(isCapital ? ['⇧'] : []), names[key] ?? key.toUpperCase()];
  });

export function Keys({ of }: { of: string }) {
  const t = useTexts(helpMessages);
  const isSequence = of.includes(' ') && !of.startsWith('mod ');
  return (
    <span className={styles.keys}>
      {keyNames(of).map((key, index) => (
        <Fragment key={key}>
          {isSequence && index > 0 && <small>{t('and_then')}</small>}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
