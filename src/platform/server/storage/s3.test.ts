import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { describeStorage } from './storage.suite.ts';
import { openStorage } from './storage.ts';
import { parseStorageUrl } from './storage-url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    storageUrl: string;
  }
}

const storageUrl = inject('storageUrl');
const location = parseStorageUrl(storageUrl);
if (!location) throw new Error('run this by: npm run test:s3');
const open = (url: string) => openStorage({ dataDir: '/nonexistent', storageUrl: url });

beforeAll(async () => {
  const { endpoint, region, bucket, ...credentials } = location;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});

describeStorage('the storage on an S3 server', () => open(storageUrl));

describe('the S3 server', () => {
  it('refuses a forged signature, for reading as for writing', async () => {
    const storage = await open(storageUrl);
    await storage.put('secret/file', Buffer.from('for those who may'));
    const forged = new URL(storageUrl);
    forged.password = 'guessed';
    const intruder = await open(forged.href);
    const refusal = { $metadata: { httpStatusCode: 403 } };
    await expect(intruder.get('secret/file')).rejects.toMatchObject(refusal);
    await expect(intruder.put('secret/file', Buffer.from('mine'))).rejects.toMatchObject(refusal);
    await expect(intruder.delete('secret/file')).rejects.toMatchObject(refusal);
    await expect(intruder.check()).rejects.toMatchObject(refusal);
    expect(await storage.stat('secret/file')).toEqual({ size: 17 });
  });

  it('keeps everything below the prefix of the address and shows nothing beside it', async () => {
    const inside = new URL(storageUrl);
    inside.pathname = `/${location.bucket}/library/files`;
    const prefixed = await open(inside.href);
    await prefixed.put('one', Buffer.from('1'));
    const keys: string[] = [];
    for await (const { key } of prefixed.list('')) keys.push(key);
    expect(keys).toEqual(['one']);
    expect(await (await open(storageUrl)).stat('library/files/one')).toEqual({ size: 1 });
  });

  it('is reported as out of order when its bucket does not exist', async () => {
    const absent = new URL(storageUrl);
    absent.pathname = '/no-such-bucket';
    const storage = await open(absent.href);
    await expect(storage.check()).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    await expect(storage.put('a', Buffer.from('x'))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it('is reported as out of order when nothing answers there', async () => {
    const silent = new URL(storageUrl);
    silent.port = '1';
    const storage = await open(silent.href);
    await expect(storage.check()).rejects.toThrow('ECONNREFUSED');
  });
});
