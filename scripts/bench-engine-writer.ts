/** A process that changes an index which `bench:search-engines` searches meanwhile; the messages are in this file. */
import { readDocumentBatches } from './bench-engine-documents.ts';
import { type FileEngineOptions, openFileEngine } from './bench-file-engine.ts';

export type WriterSetup = { options: FileEngineOptions; termsFolder: string };
export type WriterRequest =
  /** Writes each of these documents again, as one batch each, until the time is over. */
  { kind: 'put'; start: number; count: number; durationMs: number } | { kind: 'price'; id: number; price: number };
export type WriterResponse = { times: number[]; errors: string[] };

const setup: WriterSetup = JSON.parse(process.argv[2] ?? '');
const engine = await openFileEngine(setup.options);

async function respond(work: () => Promise<void>, response: WriterResponse): Promise<void> {
  const startedAt = performance.now();
  try {
    await work();
    response.times.push(performance.now() - startedAt);
  } catch (error) {
    response.errors.push(String(error));
  }
}

async function handleRequest(request: WriterRequest): Promise<WriterResponse> {
  const response: WriterResponse = { times: [], errors: [] };
  if (request.kind === 'price') {
    await respond(() => engine.setPrice(request.id, request.price), response);
    return response;
  }
  const { start, count, durationMs } = request;
  const endsAt = performance.now() + durationMs;
  for (const documents of readDocumentBatches(setup.termsFolder, { start, count: start + count, batchSize: 1 })) {
    if (performance.now() > endsAt) break;
    await respond(() => engine.put(documents), response);
  }
  return response;
}

process.on('message', (request: WriterRequest) => {
  handleRequest(request).then(
    (response) => process.send?.(response),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ times: [], errors: [] } satisfies WriterResponse);
