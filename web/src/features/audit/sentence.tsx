import { Fragment } from 'react';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { actionMessages } from './action-messages.ts';
import type { Action } from './actions.ts';
import { isRemoval } from './differences.ts';
import { auditMessages } from './messages.ts';
import type { Names } from './names.ts';
import { Target } from './target.tsx';

type Props = {
  of: Action;
  names: Names;
  maxTargets: number;
  /** Without a name before it, and always with what it was done to. */
  isAlone?: boolean;
};

/** What somebody did, after their name: "changed the class Year 12 B". */
export function Sentence({ of: { first, ids }, names, maxTargets, isAlone = false }: Props) {
  const t = useTexts(auditMessages);
  const says = useTexts(actionMessages);
  const marks = useMarks();
  const { action, target_type } = first;
  const said = says(action as keyof typeof actionMessages);
  const [before = '', after] = (isAlone ? capitalized(said) : said).split('{what}');
  const isNamed = after !== undefined;
  const rest = ids.length - maxTargets;
  if (!isNamed && (!isAlone || ids.length === 0)) return before;
  return (
    <>
      {before}
      {!isNamed && marks.colon}
      {ids.slice(0, maxTargets).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && marks.list(['', ''])}
          <Target type={target_type} id={id} names={names} isGone={isRemoval(first)} isShort={isNamed} />
        </Fragment>
      ))}
      {rest > 0 && ` ${t('and_more', { count: rest })}`}
      {after}
    </>
  );
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
