/** What the first view does without and the next press may need: loaded when there is time, for when there is no network. */
export const preloadWidgets = () =>
  Promise.all([import('./dialog-widget.tsx'), import('./menu-widget.tsx'), import('./toast-widget.tsx')]);
