/** Other tags of a book are removed. */
export const allowedTags =
  'p div section article blockquote pre code ul ol li dl dt dd table caption thead tbody tfoot tr th td h1 h2 h3 h4 h5 h6 hr br img figure figcaption a b strong i em u s sub sup small span ruby rt rp'.split(
    ' ',
  );

export const allowedAttributes: Record<string, string[]> = {
  a: ['href'],
  img: ['src', 'alt'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};
