import { Minus, Plus } from 'lucide-react';
import { Button, IconButton } from '#platform/web/ui/button.tsx';
import {
  type FlowPrefs,
  leadings,
  MAX_SIZE,
  MIN_SIZE,
  resetFlowPrefs,
  setFlowSize,
  tones,
  useFlowPrefs,
  widths,
} from './flow-prefs.ts';

const STEP = 2;

/** Letters, lines and paper as one likes them. */
export function FlowPanel() {
  const prefs = useFlowPrefs();
  return (
    <div className="space-y-6 p-4 max-md:px-0">
      <fieldset>
        <legend className="mb-2 text-13 text-ink-2">字号</legend>
        <div className="flex items-center justify-between rounded-md border border-line">
          <IconButton
            label="缩小字号"
            disabled={prefs.size <= MIN_SIZE}
            className="disabled:opacity-40"
            onClick={() => setFlowSize(prefs.size - STEP)}
          >
            <Minus aria-hidden="true" className="size-4.5" />
          </IconButton>
          <output aria-label="字号" className="tabular-nums">
            {prefs.size}
          </output>
          <IconButton
            label="放大字号"
            disabled={prefs.size >= MAX_SIZE}
            className="disabled:opacity-40"
            onClick={() => setFlowSize(prefs.size + STEP)}
          >
            <Plus aria-hidden="true" className="size-4.5" />
          </IconButton>
        </div>
      </fieldset>
      <Choices
        title="行距"
        names={leadings}
        chosen={prefs.leading}
        onChoose={(leading) => useFlowPrefs.setState({ leading: Number(leading) as FlowPrefs['leading'] })}
      />
      <Choices
        title="版心宽度"
        names={widths}
        chosen={prefs.width}
        onChoose={(width) => useFlowPrefs.setState({ width: Number(width) as FlowPrefs['width'] })}
      />
      <Choices
        title="背景"
        names={tones}
        chosen={prefs.tone}
        onChoose={(tone) => useFlowPrefs.setState({ tone: tone as FlowPrefs['tone'] })}
      />
      <Button variant="quiet" className="w-full" onClick={resetFlowPrefs}>
        恢复默认
      </Button>
    </div>
  );
}

function Choices({
  title,
  names,
  chosen,
  onChoose,
}: {
  title: string;
  names: Record<string, string>;
  chosen: string | number;
  onChoose: (value: string) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-2 text-13 text-ink-2">{title}</legend>
      <div className="flex gap-1 rounded-md border border-line p-1">
        {Object.entries(names).map(([value, name]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === String(chosen)}
            className="h-10 flex-1 rounded-sm text-14 text-ink-2 transition-colors hover:text-bean aria-pressed:bg-bean-soft aria-pressed:text-bean md:h-9"
            onClick={() => onChoose(value)}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
