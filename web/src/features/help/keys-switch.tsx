import { settings, useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './help.module.css';
import { helpMessages } from './messages.ts';

/** Switches single-key shortcuts on or off for this device. */
export function KeysSwitch() {
  const t = useTexts(helpMessages);
  const { keys } = useSettings();
  return (
    <div>
      <Checkbox isSelected={keys} onChange={(isOn) => settings.set({ keys: isOn })}>
        {t('single')}
      </Checkbox>
      <p className={styles.hint}>{t('single_hint')}</p>
    </div>
  );
}
