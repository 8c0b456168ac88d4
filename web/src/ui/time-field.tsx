import { useTexts } from '../lib/texts.ts';
import { parseClock } from '../lib/wall-time.ts';
import { dateMessages } from './date-messages.ts';
import { TypedField } from './typed-field.tsx';

type Props = { label: string; value: string; onChange: (clock: string) => void; error?: string | undefined };

/** A time of the day, such as 18:05. */
export function TimeField({ value, ...props }: Props) {
  const t = useTexts(dateMessages);
  return <TypedField {...props} shown={value} parse={parseClock} bad={t('bad_time')} maxLength={8} />;
}
