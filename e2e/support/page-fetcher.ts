/** What a search engine gets. */
export const createPageFetcher = (address: string) => async (path: string) => {
  const response = await fetch(`${address}${path}`, { redirect: 'manual' });
  const html = await response.text();
  const meta = (name: string) => html.match(new RegExp(`<meta name="${name}" content="([^"]*)"`))?.[1] ?? '';
  return {
    status: response.status,
    html,
    title: html.match(/<title>([^<]*)<\/title>/)?.[1],
    keywords: meta('keywords'),
    description: meta('description'),
    location: response.headers.get('location'),
  };
};
