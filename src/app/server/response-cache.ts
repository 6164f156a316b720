import { gzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { CachedEntry } from '#platform/server/cache/subject-cache.ts';
import type { Context } from '#platform/server/context.ts';
import {
  type ResponseCache,
  type Route,
  type RouteResult,
  recordRequest,
  selectFields,
} from '#platform/server/http/route.ts';
import { acceptsGzip, isVisibleChange, mayUseVisitorCache, openVisitorCache, subjectsOf } from './visitor-cache.ts';

/** For all processes of a node together. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The serialized response, its compressed bytes and the result take about this many times the serialized bytes. */
const SIZE_FACTOR = 3;
/** What an entry takes besides: its URL, input and subjects. */
const ENTRY_BYTES = 2_000;
const MAX_URL_LENGTH = 400;
/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1024;

type CachedResponse = { result: RouteResult; bytes: Buffer; gzip: Buffer | null };

async function createResponse(route: Route, result: RouteResult): Promise<CachedEntry<CachedResponse>> {
  const bytes = Buffer.from(JSON.stringify(selectFields(result)));
  const value = { result, bytes, gzip: null };
  const subjects = new Set(subjectsOf(route.endpoint, result.output));
  return { value, subjects, bytes: bytes.length * SIZE_FACTOR + ENTRY_BYTES, isCacheable: true };
}

export function openResponseCache(ctx: Context, isEnabled = true): ResponseCache & { stop: () => void } {
  const cache = openVisitorCache<CachedResponse>(ctx, { maxBytes: MAX_BYTES / ctx.config.webProcesses });
  return {
    stop: cache.stop,
    cacheKeyOf: (request: FastifyRequest) =>
      isEnabled && mayUseVisitorCache(request) && request.url.length <= MAX_URL_LENGTH ? request.url : null,
    async send(key, { request, reply, route, ctx: visitor }, load) {
      const response = await cache.get(key, async () =>
        createResponse(route, await load({ ...ctx, log: visitor.log })),
      );
      await recordRequest(route, visitor, response.result);
      reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
      if (response.bytes.length < MIN_COMPRESSED_BYTES || !acceptsGzip(request.headers['accept-encoding']))
        return reply.send(response.bytes);
      response.gzip ??= gzipSync(response.bytes);
      return reply.header('content-encoding', 'gzip').send(response.gzip);
    },
    invalidateAfter(request) {
      if (isVisibleChange(request)) cache.invalidate();
    },
  };
}
