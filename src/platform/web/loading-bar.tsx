import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import { onInFlight } from './in-flight.ts';
import { type BarState, createProgress } from './progress.ts';

/** A line at the top of the window; follows navigation and the requests under way. */
export function LoadingBar() {
  const [bar, setBar] = useState<BarState>({ phase: 'idle', percent: 0 });
  const navigating = useNavigation().state !== 'idle';
  const busy = useRef({ navigating: false, requests: 0, failed: false });
  const progress = useRef<ReturnType<typeof createProgress>>(null);

  useEffect(() => {
    const made = createProgress(setBar);
    progress.current = made;
    const forget = onInFlight((requests, failed) => {
      busy.current.requests = requests;
      if (failed) busy.current.failed = true;
      follow();
    });
    return () => {
      forget();
      made.dispose();
    };

    function follow() {
      if (busy.current.navigating || busy.current.requests > 0) return made.start();
      made.finish(busy.current.failed);
      busy.current.failed = false;
    }
  }, []);

  useEffect(() => {
    const state = busy.current;
    if (state.navigating === navigating) return;
    state.navigating = navigating;
    if (navigating || state.requests > 0) return progress.current?.start();
    progress.current?.finish(state.failed);
    state.failed = false;
  }, [navigating]);

  return (
    <div
      data-loading-bar={bar.phase}
      aria-hidden="true"
      className={`pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5 transition-opacity duration-200 ${
        bar.phase === 'idle' ? 'opacity-0' : 'opacity-100'
      }`}
    >
      <div
        className={`h-full origin-left transition-transform duration-200 ${
          bar.phase === 'failed' ? 'bg-red' : 'bg-bean'
        }`}
        style={{ transform: `scaleX(${bar.percent / 100})` }}
      />
    </div>
  );
}
