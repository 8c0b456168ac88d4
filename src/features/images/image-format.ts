export const imageFormats = {
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  png: { extension: 'png', contentType: 'image/png' },
  gif: { extension: 'gif', contentType: 'image/gif' },
  webp: { extension: 'webp', contentType: 'image/webp' },
} as const;
export type ImageFormat = keyof typeof imageFormats;

export function pictureType(name: string): string {
  const known = Object.values(imageFormats).find(({ extension }) => name.endsWith(`.${extension}`));
  return known?.contentType ?? 'application/octet-stream';
}

/** By the first bytes; file name and declared type are ignored. */
export function detectFormat(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : undefined;
}
