/** The package declares types for its converters alone. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string;
  // biome-ignore lint/style/noDefaultExport: so the package has it
  export default table;
}
