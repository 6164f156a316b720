import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Passes bytes through and computes their number and SHA-256. */
export class SizeAndHashStream extends Transform {
  // Private because the S3 library would read a property `size` of its body as the final size.
  #size = 0;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, callback: (error: null, chunk: Buffer) => void) {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  /** Call once, after the stream has ended. */
  result() {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}
