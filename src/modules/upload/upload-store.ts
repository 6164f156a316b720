import type { Readable } from 'node:stream';
import { DataStore, type Lock, Upload } from '@tus/server';
import type { UserContext } from '#platform/server/context.ts';
import type { Checksum } from './checksum.ts';
import { leaseUpload, type UploadLease } from './lease-upload.ts';
import { cancelUpload, createUpload, findUpload, storePart, UPLOAD_EXPIRY_MS } from './resumable-upload.ts';
import { uploadErrors } from './upload.contract.ts';

export const TUS_EXTENSIONS = ['creation', 'termination', 'expiration', 'checksum'];

/** The uploads of one user as @tus/server sees them, for one request. */
export class UploadStore extends DataStore {
  override extensions = TUS_EXTENSIONS;
  readonly #ctx: UserContext;
  readonly #checksum: Checksum | null;
  #lease: UploadLease | null = null;

  constructor(ctx: UserContext, checksum: Checksum | null) {
    super();
    this.#ctx = ctx;
    this.#checksum = checksum;
  }

  /**
   * Claims the upload while a part is received. A second part is rejected before its body is read, so that an upload
   * never occupies more than its announced size.
   */
  newLock(id: string, method: string): Lock {
    return {
      lock: async () => {
        if (method !== 'PATCH') return;
        const { attachment_id } = await findUpload(this.#ctx, id);
        if (attachment_id !== null) return;
        this.#lease = await leaseUpload(this.#ctx, id);
        if (!this.#lease) throw uploadErrors.locked();
      },
      unlock: async () => {
        await this.#lease?.release();
        this.#lease = null;
      },
    };
  }

  override getExpiration(): number {
    return UPLOAD_EXPIRY_MS;
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size = 0, metadata } = upload;
    await createUpload(this.#ctx, { id, size, name: metadata?.filename ?? '' });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { received, size, updated_at } = await findUpload(this.#ctx, id);
    return new Upload({ id, size, offset: received, creation_date: updated_at });
  }

  override async write(body: Readable, _id: string, offset: number): Promise<number> {
    // A finished upload is not leased, and has no bytes left to receive.
    if (!this.#lease) return offset;
    const { received } = await storePart(this.#ctx, this.#lease, body, this.#checksum);
    return received;
  }

  override remove(id: string): Promise<void> {
    return cancelUpload(this.#ctx, id);
  }
}
