import sharp from 'sharp';

/** The smallest real picture: a PNG of one pixel. */
export function onePixel(): Promise<Buffer> {
  return sharp({ create: { width: 1, height: 1, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
}
