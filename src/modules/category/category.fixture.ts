import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Category } from './category.contract.ts';

type Headers = { authorization?: string };

/** What an administrator does with categories, said to the API. */
export function categoryKeeper(app: FastifyInstance, root: Headers) {
  const listed = async (query = '', headers: Headers = root): Promise<Category[]> =>
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
    const found = (await listed()).find((row) => row.title === title);
    if (!found) throw new Error(`no category ${title}`);
    return found;
  };
  /** Creates a category and returns its id. */
  const create = async (title: string, more: object = {}) => {
    const answer = await send('POST', { title, ...more });
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    return (await find(title)).id;
  };
  return { listed, send, remove, find, create };
}

export const refusal = (answer: { statusCode: number; json: () => { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];
