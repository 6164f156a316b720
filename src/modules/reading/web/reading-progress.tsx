export function ReadingProgress({ percent }: { percent: number }) {
  return (
    <span className="mt-1.5 flex items-center gap-2 text-12 text-ink-2">
      <span aria-hidden="true" className="h-1 flex-1 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full bg-bean" style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular-nums">{percent >= 100 ? '已读完' : `已读 ${percent}%`}</span>
    </span>
  );
}
