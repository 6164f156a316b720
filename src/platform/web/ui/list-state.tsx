import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type Found = { isError: boolean; error: unknown; refetch: () => unknown };

/** In place of a list that is not there yet: its shape while it comes, what failed and a retry otherwise. */
export function ListState({
  found,
  rows = 5,
  shape,
}: {
  found: Found;
  rows?: number;
  /** Of what comes, where it is not lines of text. */
  shape?: ReactNode;
}) {
  if (found.isError) {
    const message = found.error instanceof Error ? found.error.message : '';
    return (
      <div role="alert" className="flex flex-col items-center gap-4 px-6 py-12 text-center">
        <p className="text-14 text-ink-2">{message || '加载失败，请稍后重试'}</p>
        <Button variant="outline" onClick={() => found.refetch()}>
          重试
        </Button>
      </div>
    );
  }
  if (shape) return shape;
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
