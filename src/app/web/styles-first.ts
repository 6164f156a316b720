/**
 * What makes a page alive must not delay its being seen: files of scripts are announced after the style
 * sheets, and the browser fetches them in their wake.
 */
export function stylesFirst(html: string): string {
  const announced: string[] = [];
  const rest = html.replace(/<link rel="modulepreload"([^>]*?)\/?>/g, (_, attributes: string) => {
    announced.push(`<link rel="modulepreload" fetchPriority="low"${attributes}/>`);
    return '';
  });
  return rest.replace('</head>', () => `${announced.join('')}</head>`);
}
