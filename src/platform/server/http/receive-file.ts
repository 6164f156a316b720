import { pipeline, type Readable, Transform } from 'node:stream';
import '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';

export type ReceivedFile = {
  name: string;
  mimeType: string;
  stream: Readable;
  /** The file has at most this many bytes: the announced length of the request, or the limit if there is none. */
  maxLength: number;
};

/** After an error the rest of the body is discarded for this time: many clients read the response only after sending. */
const DISCARD_TIMEOUT_MS = 2_000;

/** Opens the one file of a multipart request. The stream fails with 413 past the limit. */
export async function receiveFile(request: FastifyRequest, { maxBytes }: { maxBytes: number }): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw httpErrors.unsupportedType('请以 multipart/form-data 方式上传文件');
  const part = await openFirstPart(request, {
    // One byte more than allowed, so that `limitStreamBytes` reports the excess instead of the parser truncating the file.
    limits: { fileSize: maxBytes + 1, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
  });
  if (part?.fieldname !== 'file') {
    discardBody(request);
    throw httpErrors.invalidInput('请选择要上传的文件');
  }
  const limitedStream = limitStreamBytes(maxBytes);
  // The reader of `limitedStream` handles the error.
  pipeline(part.file, limitedStream, (error) => error && discardBody(request));
  const announcedLength = Number(request.headers['content-length'] ?? maxBytes);
  return {
    name: part.filename,
    mimeType: part.mimetype,
    stream: limitedStream,
    maxLength: Math.min(announcedLength, maxBytes),
  };
}

/** Errors of the multipart parser have no status. All of them are caused by the request body. */
async function openFirstPart(request: FastifyRequest, options: Parameters<typeof request.file>[0]) {
  try {
    return await request.file(options);
  } catch (error) {
    discardBody(request);
    if (((error as Partial<FastifyError>).statusCode ?? 0) >= 400) throw error;
    request.log.debug({ err: error }, 'cannot parse a multipart body');
    throw httpErrors.badRequest('上传的内容不完整或格式不正确，请重新上传');
  }
}

function limitStreamBytes(maxBytes: number): Transform {
  let receivedBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) callback(httpErrors.tooLarge('文件过大'));
      else callback(null, chunk);
    },
  });
}

function discardBody({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, DISCARD_TIMEOUT_MS).unref();
}
