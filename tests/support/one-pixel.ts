import sharp from 'sharp';

/** A PNG of one pixel. */
export function onePixel(): Promise<Buffer> {
  return sharp({ create: { width: 1, height: 1, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
}
