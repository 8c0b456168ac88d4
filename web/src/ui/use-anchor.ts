import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** The space between the button and the panel, and between the panel and the window. */
const gap = 8;

/** Places a panel below its button, or above it if it fits only there; within the window in any case. */
function place(panel: HTMLElement, anchor: Element): void {
  const [at, size] = [anchor.getBoundingClientRect(), panel.getBoundingClientRect()];
  const [below, above] = [at.bottom + gap, at.top - gap - size.height];
  const lowest = window.innerHeight - size.height - gap;
  const left = Math.min(window.innerWidth - size.width - gap, at.right - size.width);
  panel.style.top = `${below > lowest && above >= gap ? above : Math.max(gap, Math.min(below, lowest))}px`;
  panel.style.left = `${Math.max(gap, left)}px`;
}

/**
 * While it is open, a panel is shown in the layer above the page at its button, the first one in `frame`. A press outside
 * of both closes it.
 */
export function useAnchor(
  isOpen: boolean,
  panel: RefObject<HTMLElement | null>,
  frame: RefObject<HTMLElement | null>,
  close: () => void,
): void {
  const onPress = useEffectEvent(({ target }: Event) => {
    const isInside = target instanceof Node && [panel, frame].some(({ current }) => current?.contains(target));
    if (!isInside) close();
  });
  useLayoutEffect(() => {
    const [shown, anchor] = [panel.current, frame.current?.querySelector('button') ?? frame.current];
    if (!isOpen || shown === null || anchor === null) return undefined;
    shown.showPopover();
    const follow = () => place(shown, anchor);
    const resized = new ResizeObserver(follow); // also tells the first size
    const listeners = new AbortController();
    const { signal } = listeners;
    resized.observe(shown);
    window.addEventListener('resize', follow, { signal });
    document.addEventListener('scroll', follow, { capture: true, signal });
    document.addEventListener('pointerdown', onPress, { signal });
    return () => {
      resized.disconnect();
      listeners.abort();
    };
  }, [isOpen, panel, frame]);
}
