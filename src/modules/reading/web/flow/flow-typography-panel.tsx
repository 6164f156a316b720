import { Minus, Plus } from 'lucide-react';
import { Button, IconButton } from '#platform/web/ui/button.tsx';
import {
  type FlowPrefs,
  leadings,
  MAX_FONT_SIZE,
  MIN_FONT_SIZE,
  resetFlowPrefs,
  setFlowFontSize,
  tones,
  useFlowPrefs,
  widths,
} from './flow-prefs.ts';

const FONT_SIZE_STEP = 2;

export function FlowTypographyPanel() {
  const prefs = useFlowPrefs();
  return (
    <div className="space-y-6 p-4 max-md:px-0">
      <fieldset>
        <legend className="mb-2 text-13 text-ink-2">字号</legend>
        <div className="flex items-center justify-between rounded-md border border-line">
          <IconButton
            label="缩小字号"
            disabled={prefs.size <= MIN_FONT_SIZE}
            className="disabled:opacity-40"
            onClick={() => setFlowFontSize(prefs.size - FONT_SIZE_STEP)}
          >
            <Minus aria-hidden="true" className="size-4.5" />
          </IconButton>
          <output aria-label="字号" className="tabular-nums">
            {prefs.size}
          </output>
          <IconButton
            label="放大字号"
            disabled={prefs.size >= MAX_FONT_SIZE}
            className="disabled:opacity-40"
            onClick={() => setFlowFontSize(prefs.size + FONT_SIZE_STEP)}
          >
            <Plus aria-hidden="true" className="size-4.5" />
          </IconButton>
        </div>
      </fieldset>
      <TypographyChoices
        title="行距"
        options={leadings}
        selected={prefs.leading}
        onChoose={(leading) => useFlowPrefs.setState({ leading: Number(leading) as FlowPrefs['leading'] })}
      />
      <TypographyChoices
        title="版心宽度"
        options={widths}
        selected={prefs.width}
        onChoose={(width) => useFlowPrefs.setState({ width: Number(width) as FlowPrefs['width'] })}
      />
      <TypographyChoices
        title="背景"
        options={tones}
        selected={prefs.tone}
        onChoose={(tone) => useFlowPrefs.setState({ tone: tone as FlowPrefs['tone'] })}
      />
      <Button variant="quiet" className="w-full" onClick={resetFlowPrefs}>
        恢复默认
      </Button>
    </div>
  );
}

function TypographyChoices({
  title,
  options,
  selected,
  onChoose,
}: {
  title: string;
  options: Record<string, string>;
  selected: string | number;
  onChoose: (value: string) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-2 text-13 text-ink-2">{title}</legend>
      <div className="flex gap-1 rounded-md border border-line p-1">
        {Object.entries(options).map(([value, name]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === String(selected)}
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
