import type { FastifyInstance } from 'fastify';
import type { ConfigItem } from './settings.contract.ts';

type Headers = { authorization?: string };

/** Reads and changes settings through the API as an administrator. */
export function settingsTestClient(app: FastifyInstance, root: Headers) {
  const readPublicSettings = async () => (await app.inject('/api/v1/settings')).json();
  const list = async (query = '', headers: Headers = root): Promise<ConfigItem[]> =>
    (await app.inject({ url: `/api/v1/config/list${query}`, headers })).json().config;
  const put = (payload: object, headers: Headers = root) =>
    app.inject({ method: 'PUT', url: '/api/v1/config', headers, payload });
  const set = (key: string, value: unknown, extraInput = {}) => {
    const [category, name] = key.split('.');
    return put({ config: [{ category, name, value }], ...extraInput });
  };
  const displayedValue = async (key: string) =>
    (await list()).find(({ category, name }) => `${category}.${name}` === key)?.value;
  return { readPublicSettings, list, put, set, displayedValue };
}
