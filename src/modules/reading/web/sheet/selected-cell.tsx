export function SelectedCell({ cell }: { cell: { name: string; text: string | undefined } | null }) {
  return (
    <p aria-live="polite" className="flex min-h-10 items-center gap-3 border-b border-line px-3 text-14">
      {cell ? (
        <>
          <span className="w-14 shrink-0 text-center text-13 text-ink-2 tabular-nums">{cell.name}</span>
          <span className="line-clamp-2 min-w-0 flex-1 whitespace-pre-line">{cell.text}</span>
        </>
      ) : (
        <span className="min-w-0 flex-1 truncate text-13 text-ink-2">点一个单元格，这里显示它的全部内容</span>
      )}
    </p>
  );
}
