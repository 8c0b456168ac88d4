import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { useSecondsUntil } from '../lib/use-countdown.ts';

/** Announces an outage and counts down to the next retry; the countdown itself is not a live region. */
export function NextTry({ at }: { at: number }) {
  const t = useTexts(commonMessages);
  const seconds = useSecondsUntil(at);
  return (
    <>
      <span role="status">{t('resting')}</span>
      <span role="timer">{seconds === 0 ? t('trying') : t('next_try', { count: seconds })}</span>
    </>
  );
}
