/** Traditional characters with their simplified forms, the usual one first: `賭 赌|乾 干 乾|…`. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string;
  // biome-ignore lint/style/noDefaultExport: the package decides that.
  export default pairs;
}
