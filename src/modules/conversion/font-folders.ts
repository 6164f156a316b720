/** Folders with installed fonts, at the same path in the sandbox. */
export const FONT_FOLDER = '/usr/share/fonts';
/** Where Debian's texlive-lang-chinese has the FangSong of Fandol, apart from all other fonts. */
export const FANDOL_FOLDER = '/usr/share/texlive/texmf-dist/fonts/opentype/public/fandol';
