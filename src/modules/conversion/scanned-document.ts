import type { Context } from '#platform/server/context.ts';
import { PermanentConversionError } from './convert/conversion-errors.ts';
import { StorageUnavailable } from './convert/converter-output-store.ts';
import { conversionLimits } from './convert/limits.ts';
import { withWorkspace } from './convert/workspace.ts';
import { findScannedPages } from './recognize/find-scanned-pages.ts';
import { type RecognizedText, readRecognitionOutput } from './recognize/read-recognition-output.ts';
import { type RecognizerRun, runRecognizer } from './recognize/run-recognizer.ts';
import type { Rendition } from './rendition.ts';
import { originalKey, renditionStorageKeys } from './rendition-keys.ts';

export type { RecognizedText };

type RecognitionRun = Omit<RecognizerRun, 'workspace' | 'limits' | 'nice' | 'signal' | 'onPage'> & {
  /** Calls do not overlap. */
  onText: (page: number, text: RecognizedText) => Promise<void>;
};

/** The PDF of a rendition, opened for the recognition of its scanned pages. */
export type ScannedDocument = {
  findScannedPages(): Promise<number[]>;
  /** `failedPage`: the page at which the engine ended early; null if it ended normally. */
  recognize(run: RecognitionRun): Promise<{ failedPage: number | null }>;
};

export function withScannedDocument<T>(
  ctx: Context,
  { rendition, nice, signal }: { rendition: Rendition; nice: number; signal: AbortSignal },
  work: (document: ScannedDocument) => Promise<T>,
): Promise<T> {
  const pdf = rendition.format === 'pdf' ? originalKey(rendition.hash) : renditionStorageKeys(rendition).pdf;
  return withWorkspace(ctx, pdf, async (workspace) => {
    const limits = await conversionLimits(ctx);
    return work({
      findScannedPages: () => findScannedPages(ctx, { rendition, workspace, signal, nice, limits: limits.read }),
      recognize: ({ onText, ...run }) =>
        runRecognizer({
          ...run,
          workspace,
          nice,
          signal,
          limits: limits.recognize,
          onPage: async (page) => onText(page, await readRecognitionOutput(workspace.folder, page)),
        }),
    });
  });
}

/** Whether a failed recognition can succeed later: `final` cannot, `storage` can when the storage answers again. */
export function classifyRecognitionError(error: unknown): 'final' | 'storage' | 'other' {
  if (error instanceof PermanentConversionError) return 'final';
  return error instanceof StorageUnavailable ? 'storage' : 'other';
}
