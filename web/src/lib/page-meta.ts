/** What the service has written into the page. */
export const pageMeta = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The name of the school. */
export const siteName = pageMeta('site-name');
