import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type PlaceholderQuery = { isError: boolean; error: unknown; refetch: () => unknown };

/** Shown in place of a list without data: a skeleton while it loads, the error with a retry button if that failed. */
export function ListPlaceholder({
  query,
  rows = 5,
  skeleton,
}: {
  query: PlaceholderQuery;
  rows?: number;
  /** Replaces the default skeleton of text lines. */
  skeleton?: ReactNode;
}) {
  if (query.isError) {
    const message = query.error instanceof Error ? query.error.message : '';
    return (
      <div role="alert" className="flex flex-col items-center gap-4 px-6 py-12 text-center">
        <p className="text-14 text-ink-2">{message || '加载失败，请稍后重试'}</p>
        <Button variant="outline" onClick={() => query.refetch()}>
          重试
        </Button>
      </div>
    );
  }
  if (skeleton) return skeleton;
  return (
    <div role="status" aria-label="正在加载" className="space-y-5 py-4">
      {[...Array(rows).keys()].map((row) => (
        <div key={row} className="space-y-2">
          <div className="h-4 w-1/3 rounded-sm bg-sunken" />
          <div className="h-3 w-1/2 rounded-sm bg-sunken" />
        </div>
      ))}
    </div>
  );
}
