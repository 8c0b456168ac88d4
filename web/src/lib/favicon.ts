import icon from '../icon.svg?raw';

/** Shows a dot of the colour on the icon of the tab while a timer runs. */
export function markIcon(color: string | undefined): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link === null) return;
  link.dataset['plain'] ??= link.href;
  const dot = `<circle cx="21" cy="21" r="7" fill="${color}" stroke="#fff" stroke-width="2"/></svg>`;
  link.href =
    color === undefined
      ? link.dataset['plain']
      : `data:image/svg+xml,${encodeURIComponent(icon.replace('</svg>', dot))}`;
}
