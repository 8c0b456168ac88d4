import { Link } from 'wouter';
import { useSettings } from '../../lib/settings.ts';
import { type Shortcut, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Keys } from '../help/keys.tsx';
import { helpMessages, shortcutMessages } from '../help/messages.ts';
import styles from './inbox.module.css';

const shown: readonly Shortcut[] = ['next', 'previous', 'pick', 'review', 'resolve', 'account', 'note', 'undo'];

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
