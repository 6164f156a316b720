import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Category } from './category.contract.ts';

type Headers = { authorization?: string };

export function categoryAdminClient(app: FastifyInstance, root: Headers) {
  const list = async (query = '', headers: Headers = root): Promise<Category[]> =>
    (await app.inject({ url: `/api/v1/category/list${query}`, headers })).json().category;
  const send = (method: 'POST' | 'PUT', payload: object, headers: Headers = root) =>
    app.inject({ method, url: '/api/v1/category', headers, payload });
  const remove = (ids: number[], headers: Headers = root) =>
    app.inject({
      method: 'DELETE',
      url: `/api/v1/category?${ids.map((id) => `id=${id}`).join('&')}`,
      headers,
    });
  const find = async (title: string) => {
    const category = (await list()).find((row) => row.title === title);
    if (!category) throw new Error(`no category ${title}`);
    return category;
  };
  const create = async (title: string, extraInput: object = {}) => {
    const response = await send('POST', { title, ...extraInput });
    expect([response.statusCode, response.json()]).toEqual([200, {}]);
    return (await find(title)).id;
  };
  return { list, send, remove, find, create };
}

export const statusAndCode = (response: { statusCode: number; json: () => { code: string } }) => [
  response.statusCode,
  response.json().code,
];
