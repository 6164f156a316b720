import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { IconButton } from '#platform/web/ui/button.tsx';
import { useReader, useReaderState } from './reader-store.ts';
import { showAdjacentHit, useFindState } from './use-find-in-document.ts';

/** Current hit and navigation while the find panel is closed. */
export function FindNavigation() {
  const reader = useReader();
  const find = useFindState();
  const panel = useReaderState((state) => state.panel);
  if (find.status !== 'found' || panel === 'find') return null;
  const { wd, total, hitIndex } = find;
  return (
    <section
      data-reader=""
      aria-label="查找结果"
      className="fixed bottom-18 left-1/2 z-20 flex w-max max-w-[calc(100%-32px)] -translate-x-1/2 items-center rounded-full border border-line bg-surface py-0.5 pr-1 pl-4 shadow-float md:bottom-6 print:hidden"
    >
      <p role="status" className="flex min-w-0 items-center gap-2 text-13 tabular-nums">
        <span className="max-w-40 truncate font-medium">{wd}</span>
        <span className="shrink-0 text-ink-2">
          {total === 0 ? '没有找到' : `${hitIndex >= 0 ? `${hitIndex + 1} / ` : ''}${total} 处`}
        </span>
      </p>
      {total > 0 ? (
        <>
          <IconButton label="上一处" className="ml-1" onClick={() => showAdjacentHit(reader, find, -1)}>
            <ChevronUp aria-hidden="true" className="size-4.5" />
          </IconButton>
          <IconButton label="下一处" onClick={() => showAdjacentHit(reader, find, 1)}>
            <ChevronDown aria-hidden="true" className="size-4.5" />
          </IconButton>
        </>
      ) : null}
      <IconButton label="结束查找" onClick={() => reader.store.dispatch({ type: 'findEnded' })}>
        <X aria-hidden="true" className="size-4.5" />
      </IconButton>
    </section>
  );
}
