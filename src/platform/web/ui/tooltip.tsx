import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

/** Shown on hover and focus. The control still needs its own accessible name. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={200} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-60">
          <Base.Popup
            data-tooltip=""
            className="rounded-sm bg-ink px-2.5 py-1 text-13 text-paper transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
