import type { startTestSite } from './support/site.ts';
import { administrator } from './support/site.ts';

type Site = Awaited<ReturnType<typeof startTestSite>>;

/** Calls the API as the administrator. */
export function createAdminApi({ address, as }: Pick<Site, 'address' | 'as'>) {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { ...(await as.root()), 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const result = await response.json();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(result)}`);
    return result;
  };
  return {
    send,
    /** Keys are `category.name`, for example `system.icp`. */
    setSettings: (values: Record<string, string>) =>
      send('PUT', '/config', {
        config: Object.entries(values).map(([key, value]) => {
          const [category, name] = key.split('.');
          return { category, name, value };
        }),
        password: administrator.password,
      }),
  };
}
