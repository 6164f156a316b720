import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '#platform/server/config.ts';
import { storeTimeouts } from '#platform/server/hang-detector.ts';
import { bearerToken } from '#platform/server/http/route.ts';
import { diskSpace } from '#platform/server/storage/disk-space.ts';
import type { StorageState } from '#platform/server/storage/storage-state.ts';

type MetricsConfig = Pick<Config, 'metricsToken' | 'trustedProxies' | 'dataDir'>;

/** Connects the metrics of this process to those of other processes. Returns a function that reads all of them. */
export type ConnectMetrics = (registry: Registry) => () => Promise<string>;

type ReadStorageState = () => Promise<StorageState>;

const digest = (text: string) => createHash('sha256').update(text).digest();
const isLoopback = (host: string) => /^(127(\.\d+){3}|::1|localhost)$/.test(host);

/** True for a request from this machine that no proxy forwarded. */
function isLocalRequest({ socket, headers, hostname }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^(via|forwarded|x-forwarded-.*|x-real-ip)$/.test(name));
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !isForwarded && isLoopback(peer) && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** With METRICS_TOKEN only requests with the token; without it only local requests, and none if proxies are configured. */
function mayReadMetrics(request: FastifyRequest, { metricsToken, trustedProxies }: MetricsConfig): boolean {
  if (metricsToken === null) return trustedProxies.length === 0 && isLocalRequest(request);
  return timingSafeEqual(digest(bearerToken(request) ?? ''), digest(metricsToken));
}

function registerSpaceGauges(registry: Registry, dataDir: string, storageState: ReadStorageState): void {
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      // All processes report the same value.
      aggregator: 'first',
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  gauge('douku_disk_free_bytes', 'Free bytes on the disk of DATA_DIR', async () => {
    return (await diskSpace(dataDir)).free;
  });
  gauge('douku_disk_size_bytes', 'Bytes of the disk of DATA_DIR', async () => {
    return (await diskSpace(dataDir)).size;
  });
  gauge('douku_storage_full', '1 when the file storage takes no more bytes', async () => {
    return (await storageState()) === 'full' ? 1 : 0;
  });
}

/** Measures and logs every request, and serves the metrics to Prometheus on /metrics. */
export function registerMetrics(
  app: FastifyInstance,
  config: MetricsConfig,
  storageState: ReadStorageState,
  connectMetrics: ConnectMetrics = (registry) => () => registry.metrics(),
): void {
  const registry = new Registry();
  const readMetrics = connectMetrics(registry);
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(storeTimeouts);
  new Gauge({ name: 'douku_web_processes', help: 'Processes that answer requests', registers: [registry] }).set(1);
  registerSpaceGauges(registry, config.dataDir, storageState);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    duration.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    request.log.info(
      {
        method: request.method,
        // Without the query, which may contain search terms or a token.
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
      },
      'request',
    );
  });
  app.get('/metrics', { config: { siteAccess: 'public' } }, async (request, reply) => {
    if (!mayReadMetrics(request, config)) return reply.callNotFound();
    reply.type(registry.contentType).header('cache-control', 'no-store');
    return readMetrics();
  });
}
