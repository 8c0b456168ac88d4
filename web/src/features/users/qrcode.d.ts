/** The part of the package that computes the squares; the others draw on a canvas or in Node.js. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
