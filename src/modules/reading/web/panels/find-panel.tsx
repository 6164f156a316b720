import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { findOccurrences, MAX_FIND_LENGTH, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { useDevice } from '#platform/web/device.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import { TextWithHighlights } from '#platform/web/ui/text-with-highlights.tsx';
import { type Hit, type ReaderStore, useReader } from '../reader-store.ts';
import { type Find, showAdjacentHit, showHit, useFindState } from '../use-find-in-document.ts';

const DEBOUNCE_MS = 250;

export function FindPanel() {
  const { layout } = useReader();
  const find = useFindState();
  return (
    <div className="flex h-full flex-col">
      <search>
        <FindForm find={find} />
      </search>
      <p role="status" className="px-4 pb-2 text-13 text-ink-2 tabular-nums max-md:px-1">
        {statusText(find, layout)}
      </p>
      <HitList find={find} />
    </div>
  );
}

/** Focuses the input on every request to find, also when the panel is open already. */
function useFocusOnFindRequest(store: ReaderStore) {
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusInput = () => {
      inputRef.current?.focus();
      inputRef.current?.select();
    };
    focusInput();
    return store.subscribe(({ findRequest }, previous) => {
      if (findRequest !== previous.findRequest) focusInput();
    });
  }, [store]);
  return inputRef;
}

/** The typed text, which the reader looks for after a pause. */
function useFindInput(store: ReaderStore) {
  const [input, setInput] = useState(() => store.getState().wd);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (input.trim() !== store.getState().wd) store.dispatch({ type: 'findTextChanged', wd: input.trim() });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [input, store]);
  return [input, setInput] as const;
}

function FindForm({ find }: { find: Find }) {
  const reader = useReader();
  const { store } = reader;
  const [input, setInput] = useFindInput(store);
  const inputRef = useFocusOnFindRequest(store);
  // The user may press Enter before the results arrive.
  const isStepPending = useRef(false);
  useEffect(() => {
    if (!isStepPending.current || find.status !== 'found') return;
    isStepPending.current = false;
    showAdjacentHit(reader, find, 1);
  }, [reader, find]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const hasResults = input.trim() === find.wd && find.status === 'found';
    if (hasResults) return showAdjacentHit(reader, find, 1);
    isStepPending.current = true;
    store.dispatch({ type: 'findTextChanged', wd: input.trim() });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') store.dispatch({ type: 'findEnded' });
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      showAdjacentHit(reader, find, -1);
    }
  };
  return (
    <form className="flex items-center gap-1 p-3 pb-1 max-md:px-0" onSubmit={submit}>
      <input
        ref={inputRef}
        type="search"
        aria-label="在文档中查找"
        placeholder="在文档中查找"
        enterKeyHint="search"
        maxLength={MAX_FIND_LENGTH}
        value={input}
        onChange={(event) => {
          isStepPending.current = false;
          setInput(event.target.value);
        }}
        onKeyDown={handleKey}
        className="h-10 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-3 text-14 focus:border-bean"
      />
      <StepButton find={find} label="上一处" step={-1} icon={ChevronUp} />
      <StepButton find={find} label="下一处" step={1} icon={ChevronDown} />
    </form>
  );
}

type StepButtonProps = { find: Find; label: string; step: 1 | -1; icon: LucideIcon };

function StepButton({ find, label, step, icon: Icon }: StepButtonProps) {
  const reader = useReader();
  return (
    <IconButton
      label={label}
      disabled={find.total === 0}
      className="disabled:opacity-40"
      onClick={() => showAdjacentHit(reader, find, step)}
    >
      <Icon aria-hidden="true" className="size-4.5" />
    </IconButton>
  );
}

function HitList({ find }: { find: Find }) {
  const reader = useReader();
  const isMobile = useDevice((device) => device.isMobile);
  const firstHitIndexes = firstHitIndexesOf(find.hits);
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 pt-0 max-md:p-0">
      {find.hits.map((hit, index) => (
        <li key={hit.page} className="[contain-intrinsic-height:64px] [content-visibility:auto]">
          <button
            type="button"
            aria-current={find.active?.page === hit.page ? 'true' : undefined}
            className="w-full rounded-sm px-2.5 py-2 text-left transition-colors hover:bg-bean-soft aria-[current]:bg-bean-soft"
            onClick={() => {
              showHit(reader, find, firstHitIndexes[index] ?? 0);
              if (isMobile) reader.store.dispatch({ type: 'panelClosed' });
            }}
          >
            <span className="flex justify-between text-12 text-ink-2 tabular-nums">
              <span>第 {hit.page} 页</span>
              {hit.count > 1 ? <span>{hit.count} 处</span> : null}
            </span>
            <span className={`line-clamp-2 text-13 ${latinTextClass(hit.snippet)}`}>
              <TextWithHighlights
                text={hit.snippet}
                spans={findOccurrences(normalizeWithOffsets(hit.snippet), find.needle)}
                className="rounded-[2px] bg-gold-soft text-gold"
              />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function firstHitIndexesOf(hits: Hit[]): number[] {
  let previous = 0;
  return hits.map(({ count }) => {
    previous += count;
    return previous - count;
  });
}

function statusText(
  { status, total, hits, hitIndex }: Find,
  { readable, pages }: { readable: number; pages: number },
): string {
  if (status === 'idle') return '';
  if (status === 'looking') return '正在查找';
  if (status === 'failed') return '查找失败，请稍后重试';
  if (status === 'unready') return '文字还在提取，稍后会自动继续';
  const scope = readable < pages ? `可读的 ${readable} 页中` : '';
  if (total === 0) return `${scope}没有找到`;
  return hitIndex >= 0 ? `第 ${hitIndex + 1} 处，共 ${total} 处` : `${scope}共 ${total} 处，在 ${hits.length} 页上`;
}
