import { AggregatorRegistry, type Registry } from 'prom-client';

export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type MetricsSource = {
  lastMetrics: ProcessMetrics;
  requestMetrics: (id: number) => void;
};

const REPORT_TIMEOUT_MS = 2_000;

/** Counters and histograms; the gauges of an ended process no longer hold. */
const countersIn = (metrics: ProcessMetrics) => metrics.filter(({ type }) => String(type) !== 'gauge');

/** Adds up the metrics of this process, of the processes in `sources` and the counters of processes that have ended. */
export function createProcessMetrics(sources: ReadonlySet<MetricsSource>) {
  let mainRegistry: Registry | null = null;
  let countersOfEnded: ProcessMetrics = [];
  let lastReportId = 0;
  const waitingReports = new Map<number, (metrics: ProcessMetrics) => void>();

  /** The last known metrics if the process does not answer in time. */
  async function read(source: MetricsSource): Promise<ProcessMetrics> {
    const id = ++lastReportId;
    const { promise, resolve } = Promise.withResolvers<ProcessMetrics>();
    waitingReports.set(id, resolve);
    const timer = setTimeout(() => resolve(source.lastMetrics), REPORT_TIMEOUT_MS);
    source.requestMetrics(id);
    source.lastMetrics = await promise;
    clearTimeout(timer);
    waitingReports.delete(id);
    return source.lastMetrics;
  }

  async function readAll(): Promise<string> {
    if (!mainRegistry) return '';
    if (sources.size === 0 && countersOfEnded.length === 0) return mainRegistry.metrics();
    const reports = await Promise.all([...sources].map(read));
    const mainReport = await mainRegistry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([mainReport, countersOfEnded, ...reports]).metrics();
  }

  return {
    read,
    readAll,
    receive: (id: number, metrics: ProcessMetrics) => waitingReports.get(id)?.(metrics),
    async addEnded({ lastMetrics }: MetricsSource): Promise<void> {
      const counters = [countersOfEnded, countersIn(lastMetrics)];
      countersOfEnded = await AggregatorRegistry.aggregate(counters).getMetricsAsJSON();
    },
    connect(registry: Registry): () => Promise<string> {
      mainRegistry = registry;
      return readAll;
    },
  };
}
