/** Fetches pages without a browser, as a search engine does. */
export const createPageFetcher = (address: string) => async (path: string) => {
  const response = await fetch(`${address}${path}`, { redirect: 'manual' });
  const html = await response.text();
  const readMeta = (name: string) => html.match(new RegExp(`<meta name="${name}" content="([^"]*)"`))?.[1] ?? '';
  return {
    status: response.status,
    html,
    title: html.match(/<title>([^<]*)<\/title>/)?.[1],
    keywords: readMeta('keywords'),
    description: readMeta('description'),
    location: response.headers.get('location'),
  };
};
