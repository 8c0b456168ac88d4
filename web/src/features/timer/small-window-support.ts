type DocumentPictureInPicture = { requestWindow: (size: { width: number; height: number }) => Promise<Window> };
declare global {
  interface Window {
    readonly documentPictureInPicture?: DocumentPictureInPicture;
  }
}

/** Whether the browser has windows that stay above others. */
export const hasSmallWindow = window.documentPictureInPicture !== undefined;

/** Opens such a window with the styles of this page. */
export async function openSmallWindow(): Promise<Window | undefined> {
  const small = await window.documentPictureInPicture?.requestWindow({ width: 340, height: 120 });
  if (small === undefined) return undefined;
  for (const style of document.querySelectorAll('link[rel=stylesheet], style'))
    small.document.head.append(style.cloneNode(true));
  small.document.documentElement.lang = document.documentElement.lang;
  small.document.documentElement.dataset['theme'] = document.documentElement.dataset['theme'];
  return small;
}
