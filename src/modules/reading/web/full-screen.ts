import { useSyncExternalStore } from 'react';
import { toast } from '#platform/web/toast.ts';

/** Makes the whole page full screen: the window scrolls, so the reading position stays. */
export function toggleFullScreen() {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  change.catch((error: unknown) => toast.failure(error, '浏览器不允许全屏'));
}

const subscribeToFullScreenChange = (listener: () => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};
export const useFullScreen = () =>
  useSyncExternalStore(
    subscribeToFullScreenChange,
    () => document.fullscreenElement !== null,
    () => false,
  );
