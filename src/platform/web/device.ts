import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { persisted } from './storage.ts';

const MOBILE_BELOW = 768;
const TABLET_BELOW = 992;

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

type Device = {
  width: number;
  isMobile: boolean;
  isPad: boolean;
  isPC: boolean;
  theme: Theme;
};

export const deviceClass = (width: number) => ({
  width,
  isMobile: width < MOBILE_BELOW,
  isPad: width >= MOBILE_BELOW && width < TABLET_BELOW,
  isPC: width >= TABLET_BELOW,
});

/** Starts as a desktop, as the server assumes; what the browser is, it says after the first render. */
export const useDevice = create<Device>()(
  persist((): Device => ({ ...deviceClass(1200), theme: 'system' }), persisted('device')),
);

/** Takes the width now and on every resize, and marks the page with it; returns how to stop. */
export function followDevice() {
  const measure = () => {
    const device = deviceClass(window.innerWidth);
    useDevice.setState(device);
    document.documentElement.dataset.device = device.isMobile ? 'mobile' : device.isPad ? 'pad' : 'pc';
  };
  measure();
  window.addEventListener('resize', measure);
  return () => window.removeEventListener('resize', measure);
}

const darkScheme = '(prefers-color-scheme: dark)';

function applyTheme() {
  const { theme } = useDevice.getState();
  const dark = theme === 'dark' || (theme === 'system' && window.matchMedia(darkScheme).matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

/** Keeps the page in the chosen theme; returns how to stop. */
export function followTheme() {
  applyTheme();
  const scheme = window.matchMedia(darkScheme);
  scheme.addEventListener('change', applyTheme);
  const forget = useDevice.subscribe(applyTheme);
  return () => {
    scheme.removeEventListener('change', applyTheme);
    forget();
  };
}
