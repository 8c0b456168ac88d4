import { create } from 'qrcode/lib/core/qrcode.js';
import styles from './one-time-passwords.module.css';

/** The white edge that readers need. */
const quiet = 4;

/** A text as a QR code: one path of squares, sharp at any size. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const squares = [...data].flatMap((isDark, index) =>
    isDark ? [`M${(index % size) + quiet} ${Math.floor(index / size) + quiet}h1v1h-1z`] : [],
  );
  const side = size + 2 * quiet;
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}
