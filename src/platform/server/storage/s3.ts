import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Range, Storage, StoredObject } from './driver.ts';
import { Meter } from './meter.ts';
import { StorageFull, StorageNotFound, StorageRangeInvalid } from './storage-errors.ts';
import { checkDeletablePrefix, checkKey, checkPrefix } from './storage-key.ts';
import type { S3Location } from './storage-url.ts';

const defaultType = 'application/octet-stream';
/** Written by `check` and never listed. Its name is no valid key. */
const checkName = '.check/~';
const checkEvery = 60_000;
const MAX_SOCKETS = 500;

/** Any server that speaks S3. An object appears when its upload is complete. */
export function s3Storage(location: S3Location): Storage {
  const { bucket: Bucket, prefix: home } = location;
  const client = new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    credentials: {
      accessKeyId: location.accessKeyId,
      secretAccessKey: location.secretAccessKey,
    },
    forcePathStyle: location.pathStyle,
    // Many servers other than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      // Each file that a slow reader fetches holds one; the probe of the storage needs one too.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  let lastWrite = Number.NEGATIVE_INFINITY;

  async function putBuffer(Key: string, Body: Buffer, ContentType: string) {
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    return { size: Body.length, sha256: createHash('sha256').update(Body).digest('hex') };
  }

  async function putStream(Key: string, body: Readable, ContentType: string) {
    const meter = new Meter();
    const upload = new Upload({ client, params: { Bucket, Key, Body: meter, ContentType } });
    try {
      // A body that fails breaks the meter, and with it the upload, whose parts are then discarded.
      await Promise.all([pipeline(body, meter), upload.done()]);
    } catch (error) {
      await upload.abort();
      throw error;
    }
    return meter.result();
  }

  async function* list(prefix: string) {
    checkPrefix(prefix);
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: home + prefix })) {
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(home.length);
        if (key !== checkName) yield { key, size: Size };
      }
    }
  }

  async function getObject(key: string, range: Range = {}): Promise<StoredObject> {
    checkKey(key);
    const Range = rangeHeader(range);
    const found = await client
      .send(new GetObjectCommand({ Bucket, Key: home + key, Range }))
      .catch((error: unknown) => {
        if (isMissing(error)) throw new StorageNotFound(key, { cause: error });
        if (hasStatus(error, 416)) throw new StorageRangeInvalid(key, { cause: error });
        throw error;
      });
    const total = found.ContentRange?.split('/')[1];
    return {
      // In Node the SDK always gives a Node stream.
      stream: found.Body as Readable,
      size: total === undefined ? (found.ContentLength ?? 0) : Number(total),
      contentType: found.ContentType ?? defaultType,
    };
  }

  async function deleteKey(key: string) {
    checkKey(key);
    await client.send(new DeleteObjectCommand({ Bucket, Key: home + key }));
  }

  return {
    async put(key, body, options) {
      checkKey(key);
      const type = options?.contentType ?? defaultType;
      const put = Buffer.isBuffer(body) ? putBuffer(home + key, body, type) : putStream(home + key, body, type);
      return put.catch(rethrowFull);
    },
    get: getObject,
    async read(key, most) {
      try {
        const end = most === undefined ? undefined : most - 1;
        return await buffer((await getObject(key, { end })).stream);
      } catch (error) {
        // Nothing has no first byte.
        if (error instanceof StorageRangeInvalid) return Buffer.alloc(0);
        throw error;
      }
    },
    async stat(key) {
      checkKey(key);
      try {
        const found = await client.send(new HeadObjectCommand({ Bucket, Key: home + key }));
        return { size: found.ContentLength ?? 0 };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    delete: deleteKey,
    async deletePrefix(prefix) {
      checkDeletablePrefix(prefix);
      const batch: Promise<void>[] = [];
      for await (const { key } of list(prefix)) {
        batch.push(deleteKey(key));
        if (batch.length === 16) await Promise.all(batch.splice(0));
      }
      await Promise.all(batch);
    },
    list,
    async check() {
      const limit = { abortSignal: AbortSignal.timeout(5_000) };
      await client.send(new HeadBucketCommand({ Bucket }), limit);
      // Asked every few seconds, it must not fill a versioned bucket.
      if (Date.now() - lastWrite < checkEvery) return;
      const probe = { Bucket, Key: home + checkName, Body: 'ok' };
      await client.send(new PutObjectCommand(probe), limit).catch(rethrowFull);
      lastWrite = Date.now();
    },
  };
}

function rangeHeader({ start, end }: { start?: number; end?: number }) {
  if (start === undefined && end === undefined) return undefined;
  return `bytes=${start ?? 0}-${end ?? ''}`;
}

const hasStatus = (error: unknown, status: number) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** How S3 servers say that a disk, a bucket or an account is full (MinIO, Ceph, Garage, Wasabi). */
const FULL = /^(XMinioStorageFull|XMinioAdminBucketQuotaExceeded|StorageFull|QuotaExceeded|InsufficientStorage)/;

function rethrowFull(error: unknown): never {
  if (error instanceof S3ServiceException && (hasStatus(error, 507) || FULL.test(error.name)))
    throw new StorageFull('the S3 storage is full', { cause: error });
  throw error;
}

/** A missing bucket is also a 404, but a fault of the configuration. */
const isMissing = (error: unknown) => hasStatus(error, 404) && (error as S3ServiceException).name !== 'NoSuchBucket';
