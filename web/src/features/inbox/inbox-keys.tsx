import { Link } from 'wouter';
import { useSettings } from '../../lib/settings.ts';
import { type Shortcut, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Keys, keyNames } from '../help/keys.tsx';
import { helpMessages, shortcutMessages } from '../help/messages.ts';
import styles from './inbox.module.css';

/** The others are on their buttons. */
const shown: readonly Shortcut[] = ['next', 'previous', 'pick', 'note', 'undo'];

/** This page's shortcuts, if they are switched on. */
export function InboxKeys() {
  const name = useTexts(shortcutMessages);
  const help = useTexts(helpMessages);
  const { keys } = useSettings();
  return (
    <div className={styles.keys}>
      {keys && (
        <dl>
          {shown.map((id) => (
            <div key={id}>
              <dt>
                <Keys of={shortcuts[id]} />
              </dt>
              <dd>{name(id)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Link href={href('help')}>{help('see')}</Link>
    </div>
  );
}

/** The key of a button, if shortcuts are switched on; for the eye only. */
export function KeyHint({ of }: { of: Shortcut }) {
  const { keys } = useSettings();
  return keys ? (
    <small className={styles.hint} aria-hidden="true">
      {keyNames(shortcuts[of]).join(' ')}
    </small>
  ) : null;
}
