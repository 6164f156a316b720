import { expect } from 'vitest';

/** Returns a function that sends a request to the API and expects status 200. */
export const createApiRequester =
  (address: string) => async (headers: object, method: string, path: string, body?: object) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };
