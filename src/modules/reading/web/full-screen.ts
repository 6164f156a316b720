import { useSyncExternalStore } from 'react';
import { toast } from '#platform/web/toast.ts';

/** The whole page, as its scrolling is the window's: one stays where one is. */
export function toggleFullScreen() {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  change.catch((error: unknown) => toast.failure(error, '浏览器不允许全屏'));
}

const follow = (listener: () => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};
export const useFullScreen = () =>
  useSyncExternalStore(
    follow,
    () => document.fullscreenElement !== null,
    () => false,
  );
