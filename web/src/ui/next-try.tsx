import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { useSecondsUntil } from '../lib/use-countdown.ts';

/** That the service rests, and when it is asked again. Only the first is read aloud: a timer would speak each second. */
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
