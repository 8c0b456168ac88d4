import { useFormats } from '../../../lib/format.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Delta } from '../../../ui/stats.tsx';
import { compareMessages } from './compare-messages.ts';
import { isChange } from './comparison.ts';

/** By how much the hours of two periods differ. */
export function ChangeText({ hours }: { hours: number }) {
  const t = useTexts(compareMessages);
  const formats = useFormats('UTC');
  if (isChange(hours)) return <Delta value={hours}>{formats.hours(Math.abs(hours))}</Delta>;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('unchanged')}</span>
    </>
  );
}
