import { type RefObject, useLayoutEffect, useState } from 'react';

/** What had the focus last, and the elements around it, nearest first: they may be gone by the time they are asked for. */
let last: { element: HTMLElement; around: readonly Element[] } | undefined;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) last = { element: target, around: ancestorsOf(target) };
});

function ancestorsOf(element: Element): Element[] {
  const { parentElement } = element;
  return parentElement === null ? [] : [parentElement, ...ancestorsOf(parentElement)];
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

const focusable = 'input:not([type=hidden]), textarea, select, button, a[href]';
const focusFirst = (within: Element | undefined) => within?.querySelector<HTMLElement>(focusable)?.focus();

/** Where an element is: its ancestors within the page, nearest first, each with the position of the child that it is in. */
function placesOf(element: Element): { parent: Element; position: number }[] {
  const page = document.querySelector('main');
  return ancestorsOf(element)
    .filter((parent) => !parent.contains(page))
    .map((parent) => ({ parent, position: [...parent.children].findIndex((child) => child.contains(element)) }));
}

/**
 * Keeps the focus where a form opens and closes within a page. A form that opens in place of its button takes the focus; one that had
 * it gives it back to the button, or to what is now in its place. Forms that are pages leave it to the pages.
 */
export function useKeptFocus(form: RefObject<HTMLFormElement | null>): void {
  const [opener] = useState(last); // in an effect, a field of the form may already have the focus
  useLayoutEffect(() => {
    const opened = form.current;
    if (opened === null) return undefined;
    const places = placesOf(opened);
    if (isLost() && places.some(({ parent }) => opener?.around.includes(parent))) focusFirst(opened);
    return () => {
      if (!opened.contains(document.activeElement)) return;
      // Once the page without the form is in the document.
      queueMicrotask(() => {
        const place = places.find(({ parent }) => parent.isConnected);
        if (place === undefined || !isLost()) return;
        if (opener?.element.isConnected === true) opener.element.focus();
        else focusFirst(place.parent.children[place.position]);
        if (isLost()) focusFirst(place.parent);
      });
    };
  }, [form, opener]);
}
