import { type KeyboardEvent, useRef } from 'react';

/** Letters that follow one another within this time are the beginning of one name. */
const pauseMilliseconds = 1000;

/** Finds the index of the text that begins with what was typed, after the current one. */
export function useTypeahead() {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent, texts: readonly string[], current: number): number | undefined => {
    const { key, timeStamp } = event;
    if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const isNew = timeStamp - typed.current.at > pauseMilliseconds;
    const text = `${isNew ? '' : typed.current.text}${key.toLowerCase()}`;
    typed.current = { text, at: timeStamp };
    const matches = (candidate: string) => candidate.toLowerCase().startsWith(text);
    const next = texts.findIndex((candidate, index) => index >= (isNew ? current + 1 : current) && matches(candidate));
    const found = next < 0 ? texts.findIndex(matches) : next;
    return found < 0 ? undefined : found;
  };
}
