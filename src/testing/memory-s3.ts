import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';

/**
 * An S3 server in memory for small objects. `isFull` makes it reject every write; `stopsMidBody` makes it send only half
 * of each object; `failure` makes it answer every call with status 500 and this body, or close every connection.
 */
export async function startMemoryS3() {
  const objects = new Map<string, Buffer>();
  const state = { isFull: false, stopsMidBody: false, failure: null as null | { body: string } | 'reset' };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3.invalid');
    const body = await buffer(request);
    const object = objects.get(pathname);
    const answer = (status: number, content: Buffer | string = '') =>
      response.writeHead(status).end(request.method === 'HEAD' ? undefined : content);
    if (state.failure === 'reset') return request.socket.resetAndDestroy();
    if (state.failure) return answer(500, state.failure.body);
    if (request.method === 'PUT' && state.isFull) return answer(507, '<Error><Code>XMinioStorageFull</Code></Error>');
    if (request.method === 'PUT') {
      objects.set(pathname, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(pathname);
      return answer(204);
    }
    if (searchParams.has('list-type')) return answer(200, renderListing(pathname, searchParams));
    if (object) {
      response.setHeader('content-length', object.length);
      if (state.stopsMidBody && request.method === 'GET')
        return response.writeHead(200).write(object.subarray(0, object.length / 2));
      return answer(200, object);
    }
    // The bucket itself always exists.
    return answer(/^\/[^/]+\/?$/.test(pathname) ? 200 : 404);
  });
  const renderListing = (bucket: string, query: URLSearchParams) => {
    const folder = `${bucket.replace(/\/?$/, '/')}`;
    const keys = [...objects.keys()]
      .filter((path) => path.startsWith(folder + (query.get('prefix') ?? '')))
      .map((path) => `<Contents><Key>${path.slice(folder.length)}</Key></Contents>`);
    return `<ListBucketResult>${keys.join('')}</ListBucketResult>`;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  const { port } = server.address() as { port: number };
  return { port, objects, state };
}

/** STORAGE_URL of an S3 server on this machine. */
export const s3Url = (port: number) => `s3://key:secret@127.0.0.1:${port}/bucket?ssl=false&path_style=true`;
