/** The package declares types only for its converters. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string;
  export = table;
}
