import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { timerMessages } from './messages.ts';
import styles from './timer.module.css';

const steps = [5, 15, 30] as const;

/** Buttons that start the timer in the past, or move its start back. */
export function Earlier({ onPress }: { onPress: (minutes: number) => void }) {
  const t = useTexts(timerMessages);
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">{t('began')}</legend>
      {steps.map((minutes) => (
        <Button
          key={minutes}
          look="quiet"
          aria-label={t('ago', { count: minutes })}
          title={t('ago', { count: minutes })}
          onPress={() => onPress(minutes)}
        >
          {`−${minutes}`}
        </Button>
      ))}
    </fieldset>
  );
}
