import { expect } from 'vitest';

/** What somebody asks of the API. */
export const createApiRequester =
  (address: string) => async (headers: object, method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
