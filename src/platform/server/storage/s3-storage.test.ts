import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { openStorage } from './open-storage.ts';
import { describeStorage } from './storage.suite.ts';
import { parseStorageUrl } from './storage-url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    storageUrl: string;
  }
}

const storageUrl = inject('storageUrl');
const location = parseStorageUrl(storageUrl);
if (!location) throw new Error('run this test with: npm run test:s3');
const open = (url: string) => openStorage({ dataDir: '/nonexistent', storageUrl: url });

beforeAll(async () => {
  const { endpoint, region, bucket, ...credentials } = location;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});

describeStorage('the S3 storage', () => open(storageUrl));

describe('the S3 storage with its server', () => {
  it('rejects reads and writes with a forged signature', async () => {
    const storage = await open(storageUrl);
    await storage.put('secret/file', Buffer.from('for those who may'));
    const forgedUrl = new URL(storageUrl);
    forgedUrl.password = 'guessed';
    const forgedStorage = await open(forgedUrl.href);
    const forbiddenError = { $metadata: { httpStatusCode: 403 } };
    await expect(forgedStorage.get('secret/file')).rejects.toMatchObject({ cause: forbiddenError });
    await expect(forgedStorage.put('secret/file', Buffer.from('mine'))).rejects.toMatchObject({
      cause: forbiddenError,
    });
    await expect(forgedStorage.delete('secret/file')).rejects.toMatchObject({ cause: forbiddenError });
    await expect(forgedStorage.check()).rejects.toMatchObject(forbiddenError);
    expect(await storage.stat('secret/file')).toEqual({ size: 17 });
  });

  it('stores all keys below the prefix of the URL and lists no others', async () => {
    const prefixedUrl = new URL(storageUrl);
    prefixedUrl.pathname = `/${location.bucket}/library/files`;
    const prefixedStorage = await open(prefixedUrl.href);
    await prefixedStorage.put('one', Buffer.from('1'));
    const keys: string[] = [];
    for await (const { key } of prefixedStorage.list('')) keys.push(key);
    expect(keys).toEqual(['one']);
    expect(await (await open(storageUrl)).stat('library/files/one')).toEqual({ size: 1 });
  });

  it('fails the check when the bucket does not exist', async () => {
    const absentBucketUrl = new URL(storageUrl);
    absentBucketUrl.pathname = '/no-such-bucket';
    const storage = await open(absentBucketUrl.href);
    await expect(storage.check()).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    await expect(storage.put('a', Buffer.from('x'))).rejects.toMatchObject({
      cause: { name: 'NoSuchBucket' },
    });
  });

  it('fails the check when no server answers', async () => {
    const silentServerUrl = new URL(storageUrl);
    silentServerUrl.port = '1';
    const storage = await open(silentServerUrl.href);
    await expect(storage.check()).rejects.toThrow('ECONNREFUSED');
  });
});
