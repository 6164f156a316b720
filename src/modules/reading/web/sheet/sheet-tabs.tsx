import { readableRowCount, type SheetPages } from './sheet-rows.ts';

export function SheetTabs({
  sheets,
  selected,
  onSelect,
}: {
  sheets: SheetPages[];
  selected: number;
  onSelect: (index: number) => void;
}) {
  const sheet = sheets[selected];
  return (
    <div className="sticky bottom-0 z-3 flex min-h-12 items-center gap-3 border-t border-line bg-sunken pr-3 max-md:bottom-14">
      <nav className="min-w-0 flex-1 overflow-x-auto" aria-label="工作表">
        <div className="flex">
          {sheets.map(({ index, name }) => (
            <button
              key={index}
              type="button"
              aria-pressed={index === selected}
              className="min-h-12 shrink-0 border-r border-line px-4 text-14 whitespace-nowrap text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-bean"
              onClick={() => onSelect(index)}
            >
              {name}
            </button>
          ))}
        </div>
      </nav>
      {sheet?.cut ? (
        <p className="shrink-0 text-12 text-ink-2">
          只显示前 {readableRowCount(sheet)} 行，共 {sheet.rows} 行
        </p>
      ) : null}
    </div>
  );
}
