import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
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
import { StoreUnresponsiveError } from '../hang-detector.ts';
import { failStalledWrites } from './fail-stalled-writes.ts';
import { readObject } from './read-object.ts';
import { SizeAndHashStream } from './size-and-hash-stream.ts';
import { StorageFull, StorageNotFound, StorageRangeInvalid, StorageServerError } from './storage-errors.ts';
import type { ByteRange, Storage, StoredObject } from './storage-interface.ts';
import { assertDeletablePrefix, assertValidKey, assertValidPrefix } from './storage-key.ts';
import type { S3Location } from './storage-url.ts';

const DEFAULT_CONTENT_TYPE = 'application/octet-stream';
/** Written by `check` and never listed. Not a valid key. */
const CHECK_KEY = '.check/~';
const CHECK_WRITE_INTERVAL_MS = 60_000;
const MAX_SOCKETS = 500;

type Agents = { httpAgent: HttpAgent; httpsAgent: HttpsAgent };

// Each download of a slow reader occupies a socket, and the check of the storage needs one too.
const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
const createAgents = (): Agents => ({
  httpAgent: new HttpAgent(agentOptions),
  httpsAgent: new HttpsAgent(agentOptions),
});
const createStallDetectingAgents = (): Agents => ({
  httpAgent: failStalledWrites(new HttpAgent(agentOptions)),
  httpsAgent: failStalledWrites(new HttpsAgent(agentOptions)),
});

const createClient = (location: S3Location, agents: Agents) =>
  new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    credentials: {
      accessKeyId: location.accessKeyId,
      secretAccessKey: location.secretAccessKey,
    },
    forcePathStyle: location.pathStyle,
    // Many S3 servers do not support the newer checksums of Amazon.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      ...agents,
    },
  });

/** Stores files on an S3 server. An object appears when its upload is complete. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function s3Storage(location: S3Location): Storage {
  const { bucket: Bucket, prefix: keyPrefix } = location;
  const client = createClient(location, createAgents());
  const stallDetectingClient = createClient(location, createStallDetectingAgents());
  let lastCheckWrite = Number.NEGATIVE_INFINITY;

  async function putBuffer(client: S3Client, Key: string, Body: Buffer, ContentType: string) {
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    return { size: Body.length, sha256: createHash('sha256').update(Body).digest('hex') };
  }

  async function putStream(client: S3Client, Key: string, body: Readable, ContentType: string) {
    const sizeAndHash = new SizeAndHashStream();
    const upload = new Upload({ client, params: { Bucket, Key, Body: sizeAndHash, ContentType } });
    try {
      const uploadCompletion = upload.done();
      const bodyTransfer = pipeline(body, sizeAndHash).catch(async (error: Error) => {
        // A failing upload aborts its body; the error of the upload is the reason.
        if (error.name === 'AbortError') await uploadCompletion;
        throw error;
      });
      // A failing body destroys the stream and thereby fails the upload, whose parts are then deleted.
      await Promise.all([bodyTransfer, uploadCompletion]);
    } catch (error) {
      await upload.abort();
      throw error;
    }
    return sizeAndHash.result();
  }

  async function* list(prefix: string) {
    assertValidPrefix(prefix);
    const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: keyPrefix + prefix });
    for (;;) {
      const { value: page, done } = await pages.next().catch(rethrowS3Error);
      if (done) return;
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(keyPrefix.length);
        if (key !== CHECK_KEY) yield { key, size: Size };
      }
    }
  }

  async function getObject(key: string, range: ByteRange = {}): Promise<StoredObject> {
    assertValidKey(key);
    const Range = rangeHeader(range);
    const response = await client
      .send(new GetObjectCommand({ Bucket, Key: keyPrefix + key, Range }))
      .catch((error: unknown) => {
        if (isMissingObject(error)) throw new StorageNotFound(key, { cause: error });
        if (hasStatus(error, 416)) throw new StorageRangeInvalid(key, { cause: error });
        throw wrapS3Error(error);
      });
    const total = response.ContentRange?.split('/')[1];
    return {
      // In Node the SDK always returns a Node stream.
      stream: response.Body as Readable,
      size: total === undefined ? (response.ContentLength ?? 0) : Number(total),
      contentType: response.ContentType ?? DEFAULT_CONTENT_TYPE,
    };
  }

  async function deleteKey(key: string) {
    assertValidKey(key);
    await client.send(new DeleteObjectCommand({ Bucket, Key: keyPrefix + key })).catch(rethrowS3Error);
  }

  return {
    async put(key, body, options) {
      assertValidKey(key);
      const type = options?.contentType ?? DEFAULT_CONTENT_TYPE;
      const putClient = options?.failsOnStall ? stallDetectingClient : client;
      const put = Buffer.isBuffer(body)
        ? putBuffer(putClient, keyPrefix + key, body, type)
        : putStream(putClient, keyPrefix + key, body, type);
      return put.catch(rethrowS3Error);
    },
    get: getObject,
    read: (key, maxBytes) => readObject(getObject, key, maxBytes),
    async stat(key) {
      assertValidKey(key);
      try {
        const response = await client.send(new HeadObjectCommand({ Bucket, Key: keyPrefix + key }));
        return { size: response.ContentLength ?? 0 };
      } catch (error) {
        if (isMissingObject(error)) return null;
        throw wrapS3Error(error);
      }
    },
    delete: deleteKey,
    async deletePrefix(prefix) {
      assertDeletablePrefix(prefix);
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
      // The check runs every few seconds; frequent writes would fill a versioned bucket.
      if (Date.now() - lastCheckWrite < CHECK_WRITE_INTERVAL_MS) return;
      const probe = { Bucket, Key: keyPrefix + CHECK_KEY, Body: 'ok' };
      await client.send(new PutObjectCommand(probe), limit).catch((error: unknown) => {
        throw isStorageFull(error) ? wrapS3Error(error) : error;
      });
      lastCheckWrite = Date.now();
    },
  };
}

function rangeHeader({ start, end }: { start?: number; end?: number }) {
  if (start === undefined && end === undefined) return undefined;
  return `bytes=${start ?? 0}-${end ?? ''}`;
}

const hasStatus = (error: unknown, status: number) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** Error names of S3 servers for a full disk, bucket or account (MinIO, Ceph, Garage, Wasabi). */
const STORAGE_FULL_ERRORS =
  /^(XMinioStorageFull|XMinioAdminBucketQuotaExceeded|StorageFull|QuotaExceeded|InsufficientStorage)/;

/** The SDK adds `$metadata` to every error of a call, also when the answer is not XML or the connection was lost. */
const isCallError = (error: unknown): error is Error => error instanceof Error && '$metadata' in error;

const isStorageFull = (error: unknown) =>
  hasStatus(error, 507) || (isCallError(error) && STORAGE_FULL_ERRORS.test(error.name));

function wrapS3Error(error: unknown): unknown {
  if (!isCallError(error) || error instanceof StoreUnresponsiveError) return error;
  return isStorageFull(error)
    ? new StorageFull('the S3 storage is full', { cause: error })
    : new StorageServerError('an S3 call failed', { cause: error });
}

function rethrowS3Error(error: unknown): never {
  throw wrapS3Error(error);
}

/** A missing bucket is also a 404, but a configuration error. */
const isMissingObject = (error: unknown) =>
  hasStatus(error, 404) && (error as S3ServiceException).name !== 'NoSuchBucket';
