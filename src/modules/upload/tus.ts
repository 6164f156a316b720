import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { type Authenticate, bearerToken, visitorContext } from '#platform/server/http/route.ts';
import { finishUpload } from './finish-upload.ts';
import {
  appendPart,
  cancelUpload,
  createUpload,
  findUpload,
  UPLOAD_EXPIRY_MS,
  type UploadRow,
} from './resumable-upload.ts';
import { TUS_PATH } from './upload.contract.ts';

const TUS_VERSION = '1.0.0';
const TUS_EXTENSIONS = 'creation,termination,expiration';
const PART_CONTENT_TYPE = 'application/offset+octet-stream';
/** A part may arrive slowly. */
const PART_TIMEOUT_MS = 30 * 60 * 1000;

type Options = { ctx: Context; authenticate: Authenticate };
type Request = FastifyRequest<{ Params: { id: string } }>;

/** Implements the resumable upload protocol tus 1.0 (core, creation, termination). */
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

  app.options(TUS_PATH, (_, reply) =>
    reply.status(204).headers({ 'tus-version': TUS_VERSION, 'tus-extension': TUS_EXTENSIONS }).send(),
  );

  app.post(TUS_PATH, async (request, reply) => {
    const ctx = await authenticateUser(request);
    const size = parseNumberHeader(request, 'upload-length');
    const upload = await createUpload(ctx, { name: parseFileName(request), size });
    return reply
      .status(201)
      .header('location', `/api/v1${TUS_PATH}/${upload.id}`)
      .headers(uploadHeaders(upload))
      .send();
  });

  app.head(
    `${TUS_PATH}/:id`,
    // This request may join the parts.
    { handlerTimeout: PART_TIMEOUT_MS },
    async (request: Request, reply) => {
      const ctx = await authenticateUser(request);
      const upload = await findUpload(ctx, request.params.id);
      return finishAndSendUploadStatus(ctx, reply.status(200), upload);
    },
  );

  app.patch(`${TUS_PATH}/:id`, { handlerTimeout: PART_TIMEOUT_MS }, async (request: Request, reply) => {
    const ctx = await authenticateUser(request);
    if (request.headers['content-type'] !== PART_CONTENT_TYPE)
      throw httpErrors.unsupportedType(`内容类型应为 ${PART_CONTENT_TYPE}`);
    const part = { id: request.params.id, offset: parseNumberHeader(request, 'upload-offset') };
    return finishAndSendUploadStatus(ctx, reply.status(204), await appendPart(ctx, part, request.raw));
  });

  app.delete(`${TUS_PATH}/:id`, async (request: Request, reply) => {
    const ctx = await authenticateUser(request);
    await cancelUpload(ctx, request.params.id);
    return reply.status(204).send();
  });
}

const uploadHeaders = ({ received, size, updated_at }: UploadRow) => ({
  'upload-offset': received,
  'upload-length': size,
  'upload-expires': new Date(new Date(updated_at).getTime() + UPLOAD_EXPIRY_MS).toUTCString(),
});

/** After the last part, the response contains the id of the attachment. */
async function finishAndSendUploadStatus(ctx: UserContext, reply: FastifyReply, upload: UploadRow) {
  if (upload.received === upload.size) reply.header('upload-attachment-id', await finishUpload(ctx, upload.id));
  return reply.headers(uploadHeaders(upload)).send();
}

function parseNumberHeader({ headers }: FastifyRequest, name: string): number {
  const value = String(headers[name] ?? '');
  if (!/^\d{1,15}$/.test(value)) throw httpErrors.badRequest(`请求头 ${name} 不正确`);
  return Number(value);
}

/** Metadata consists of pairs of a name and a base64 value. */
function parseFileName({ headers }: FastifyRequest): string {
  const pairs = String(headers['upload-metadata'] ?? '').split(',');
  const [, value = ''] = pairs.map((pair) => pair.trim().split(' ')).find(([key]) => key === 'filename') ?? [];
  return Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '');
}
