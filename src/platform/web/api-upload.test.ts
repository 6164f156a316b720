import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { uploadFile } from './api.ts';

const create = endpoint({
  access: 'public',
  summary: '测试',
  method: 'POST',
  path: '/thing',
  input: z.object({}),
  output: z.object({ total: z.int(), title: z.string() }),
});

/** Starts an upload whose response is up to the test. */
function startUpload() {
  const sentRequests: UploadRequest[] = [];
  class UploadRequest {
    upload = {};
    timeout = 0;
    status = 0;
    response: unknown = null;
    onload = () => {};
    ontimeout = () => {};
    open = vi.fn();
    setRequestHeader = vi.fn();
    send = () => {
      sentRequests.push(this);
    };
  }
  vi.stubGlobal('XMLHttpRequest', UploadRequest);
  return { sentRequests, uploadPromise: uploadFile(create, new Blob(['picture'])) };
}

afterEach(() => vi.unstubAllGlobals());

test('an upload is rejected after 30 seconds with advice for the user', async () => {
  const { sentRequests, uploadPromise } = startUpload();
  expect(sentRequests[0]?.timeout).toBe(30_000);
  sentRequests[0]?.ontimeout();
  await expect(uploadPromise).rejects.toMatchObject({
    code: 'http.timeout',
    message: '上传超时，请检查网络或换一个小一些的文件后重试',
  });
});
test('an upload whose successful response cannot be read is rejected with http.unreachable', async () => {
  const { sentRequests, uploadPromise } = startUpload();
  Object.assign(sentRequests[0] ?? {}, { status: 200, response: null });
  sentRequests[0]?.onload();
  await expect(uploadPromise).rejects.toMatchObject({
    code: 'http.unreachable',
    message: '上传失败，请检查网络后重试',
  });
});
test('missing keys of the response to an upload are filled with zero values', async () => {
  const { sentRequests, uploadPromise } = startUpload();
  Object.assign(sentRequests[0] ?? {}, { status: 200, response: { total: 3 } });
  sentRequests[0]?.onload();
  await expect(uploadPromise).resolves.toEqual({ total: 3, title: '' });
});
