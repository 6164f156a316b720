import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import { onInFlightChange } from './in-flight-requests.ts';
import { createLoadingBarProgress, type LoadingBarState } from './loading-bar-progress.ts';

/** Progress line at the top of the window for navigations and in-flight requests. */
export function LoadingBar() {
  const [bar, setBar] = useState<LoadingBarState>({ phase: 'idle', percent: 0 });
  const isNavigating = useNavigation().state !== 'idle';
  const busy = useRef({ isNavigating: false, requests: 0, failed: false });
  const progress = useRef<ReturnType<typeof createLoadingBarProgress>>(null);

  useEffect(() => {
    const loadingBarProgress = createLoadingBarProgress(setBar);
    progress.current = loadingBarProgress;
    const unsubscribe = onInFlightChange((requests, hasFailed) => {
      busy.current.requests = requests;
      if (hasFailed) busy.current.failed = true;
      update();
    });
    return () => {
      unsubscribe();
      loadingBarProgress.dispose();
    };

    function update() {
      if (busy.current.isNavigating || busy.current.requests > 0) return loadingBarProgress.start();
      loadingBarProgress.finish(busy.current.failed);
      busy.current.failed = false;
    }
  }, []);

  useEffect(() => {
    const state = busy.current;
    if (state.isNavigating === isNavigating) return;
    state.isNavigating = isNavigating;
    if (isNavigating || state.requests > 0) return progress.current?.start();
    progress.current?.finish(state.failed);
    state.failed = false;
  }, [isNavigating]);

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
