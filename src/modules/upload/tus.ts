import { finished, PassThrough, Readable } from 'node:stream';
import { ERRORS, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { type Authenticate, bearerToken, visitorContext } from '#platform/server/http/route.ts';
import { CHECKSUM_ALGORITHMS, parseChecksum } from './checksum.ts';
import { finishUpload } from './finish-upload.ts';
import { findUpload } from './resumable-upload.ts';
import { TUS_PATH, uploadErrors } from './upload.contract.ts';
import { TUS_EXTENSIONS, UploadStore } from './upload-store.ts';

const TUS_VERSION = '1.0.0';
const PART_CONTENT_TYPE = 'application/offset+octet-stream';
/** A part may arrive slowly, and the request after the last part joins the parts. */
const PART_TIMEOUT_MS = 30 * 60 * 1000;
/** Headers that the protocol server reads. It rejects unusual values of others, such as a list in X-Forwarded-Proto. */
const PROTOCOL_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
];
const PART_HEADERS = ['content-type', 'content-length'];

type Options = { ctx: Context; authenticate: Authenticate };
type UploadRequest = FastifyRequest<{ Params: { id?: string } }>;

/** Resumable uploads: the protocol tus 1.0 of @tus/server over the uploads of the site. */
export async function tusPlugin(app: FastifyInstance, { ctx: base, authenticate }: Options) {
  app.addContentTypeParser(PART_CONTENT_TYPE, (_request, _payload, callback) => callback(null));
  app.addHook('onSend', async (_, reply) => {
    reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
  });
  const authenticateUser = async (request: FastifyRequest): Promise<UserContext> => {
    const visitor = visitorContext(base, request);
    const token = bearerToken(request);
    const user = token ? await authenticate(visitor, token) : null;
    if (!user) throw httpErrors.loginRequired();
    return { ...visitor, user };
  };
  const handler = async (request: UploadRequest, reply: FastifyReply) => {
    const ctx = await authenticateUser(request);
    assertSupportedVersion(request, reply);
    const response = await handleProtocolRequest(ctx, request);
    if (request.method === 'HEAD') await addAttachmentId(ctx, reply, request.params.id ?? '');
    for (const [name, value] of response.headers) if (!name.startsWith('access-control-')) reply.header(name, value);
    return reply.status(response.status).send();
  };
  for (const url of [TUS_PATH, `${TUS_PATH}/:id`])
    app.options(url, (_, reply) =>
      reply
        .status(204)
        .headers({
          'tus-version': TUS_VERSION,
          'tus-extension': TUS_EXTENSIONS.join(','),
          'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
        })
        .send(),
    );
  app.post(TUS_PATH, handler);
  app.route({
    method: ['HEAD', 'PATCH', 'DELETE'],
    url: `${TUS_PATH}/:id`,
    handlerTimeout: PART_TIMEOUT_MS,
    handler,
  });
}

/** @tus/server answers a wrong version with 400; the protocol demands 412 and the supported versions. */
function assertSupportedVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  reply.header('tus-version', TUS_VERSION);
  throw uploadErrors.wrongVersion();
}

/** Errors of the store pass through unchanged. */
async function handleProtocolRequest(ctx: UserContext, request: FastifyRequest): Promise<Response> {
  let failure: unknown = null;
  const store = new UploadStore(ctx, parseChecksum(request.headers['upload-checksum']));
  const server = new Server({
    path: `/api/v1${TUS_PATH}`,
    relativeLocation: true,
    datastore: store,
    locker: { newLock: (id) => store.newLock(id, request.method) },
    onResponseError: (_, error) => {
      failure = error;
      return undefined;
    },
    onUploadFinish: async (_, { id }) => {
      const attachmentId = await finishUpload(ctx, id);
      return attachmentId === null ? {} : { headers: { 'upload-attachment-id': attachmentId } };
    },
  });
  const response = await server.handleWeb(toProtocolRequest(request));
  if (response.status < 400) return response;
  const error = toUploadError(failure ?? { status_code: response.status, body: await response.text() });
  if (uploadErrors.broken.is(error)) request.raw.destroy();
  // Many clients read the response only after sending the whole part.
  else request.raw.unpipe().resume();
  throw error;
}

function toProtocolRequest(request: FastifyRequest): Request {
  const { method, url } = request;
  const isPart = method === 'PATCH';
  if (isPart && request.headers['content-type'] !== PART_CONTENT_TYPE)
    throw httpErrors.unsupportedType(`内容类型应为 ${PART_CONTENT_TYPE}`);
  const headers = [...PROTOCOL_HEADERS, ...(isPart ? PART_HEADERS : [])].flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  // Node requires `duplex` for a stream, and the types of the browser do not know it.
  const init = {
    method,
    headers,
    body: isPart ? (Readable.toWeb(readBody(request)) as RequestInit['body']) : null,
    duplex: 'half' as const,
  };
  return new Request(`http://localhost${url}`, init);
}

/** Fails if the connection closes early. The request itself stays open for the response if the reader fails. */
function readBody({ raw }: FastifyRequest): Readable {
  const body = new PassThrough();
  finished(raw, { writable: false }, (error) => error && body.destroy(error));
  return raw.pipe(body);
}

/** The response to the last part may have been lost, or the parts could not be joined then. */
async function addAttachmentId(ctx: UserContext, reply: FastifyReply, id: string): Promise<void> {
  const { received, size } = await findUpload(ctx, id);
  const attachmentId = received === size ? await finishUpload(ctx, id) : null;
  if (attachmentId !== null) reply.header('upload-attachment-id', attachmentId);
}

type ProtocolError = { status_code: number; body: string };

const isProtocolError = (error: unknown): error is ProtocolError =>
  typeof error === 'object' && error !== null && 'status_code' in error;

const errorsByStatus: Record<number, () => AppError> = {
  404: uploadErrors.notFound,
  409: uploadErrors.wrongOffset,
  410: uploadErrors.notFound,
  413: () => uploadErrors.tooLarge('发送的内容比声明的多'),
};

function toUploadError(error: unknown): unknown {
  if (!isProtocolError(error)) return error;
  if (error === ERRORS.ABORTED) return uploadErrors.broken();
  const makeError = errorsByStatus[error.status_code];
  if (makeError) return makeError();
  const [, header] = /^Invalid (\S+)/.exec(error.body) ?? [];
  return httpErrors.badRequest(header && `请求头 ${header} 不正确`);
}
