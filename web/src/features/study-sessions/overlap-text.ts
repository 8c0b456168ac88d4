import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { recordMessages } from './messages.ts';
import type { Overlap } from './session-queries.ts';

/** Names the other record of an overlap by project and time; undefined if its project is not known. */
export function useOverlapText() {
  const t = useTexts(recordMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  return ({ from, to }: Overlap, project: string | undefined): string | undefined => {
    if (project === undefined) return undefined;
    const time = `${formats.time(from)}–${to === undefined ? t('running') : formats.time(to)}`;
    return t('overlaps', { project, time: marks.at(formats.day(from), time) });
  };
}
