import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

function subscribeToOnlineState(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

const useOnline = () =>
  useSyncExternalStore(
    subscribeToOnlineState,
    () => navigator.onLine,
    () => true,
  );

/** The status region is always rendered: screen readers announce only text that enters an existing region. */
export function ConnectionNotice() {
  const online = useOnline();
  return (
    <div role="status" className="fixed inset-x-0 bottom-6 z-50 flex justify-center px-4 empty:hidden">
      {online ? null : (
        <p className="flex items-center gap-2 rounded-md bg-ink px-4 py-2 text-14 text-paper shadow-float">
          <WifiOff aria-hidden="true" className="size-4" />
          网络已断开，恢复后会自动继续
        </p>
      )}
    </div>
  );
}
