import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions } from './browser-storage.ts';

const TABLET_MIN_WIDTH_PX = 768;
const DESKTOP_MIN_WIDTH_PX = 992;

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

type DeviceState = {
  width: number;
  isMobile: boolean;
  isPad: boolean;
  isPC: boolean;
  theme: Theme;
};

export const deviceClass = (width: number) => ({
  width,
  isMobile: width < TABLET_MIN_WIDTH_PX,
  isPad: width >= TABLET_MIN_WIDTH_PX && width < DESKTOP_MIN_WIDTH_PX,
  isPC: width >= DESKTOP_MIN_WIDTH_PX,
});

/** Initially a desktop, as in the server's HTML; `trackDeviceWidth` corrects it after the first render. */
export const useDevice = create<DeviceState>()(
  persist((): DeviceState => ({ ...deviceClass(1200), theme: 'system' }), localStorageOptions('device')),
);

/** Sets the device class now and on every resize, also as an attribute of the page. Returns a function that stops. */
export function trackDeviceWidth() {
  const measure = () => {
    const device = deviceClass(window.innerWidth);
    useDevice.setState(device);
    document.documentElement.dataset.device = device.isMobile ? 'mobile' : device.isPad ? 'pad' : 'pc';
  };
  measure();
  window.addEventListener('resize', measure);
  return () => window.removeEventListener('resize', measure);
}

const DARK_SCHEME_QUERY = '(prefers-color-scheme: dark)';

function applyTheme() {
  const { theme } = useDevice.getState();
  const isDark = theme === 'dark' || (theme === 'system' && window.matchMedia(DARK_SCHEME_QUERY).matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

/** Applies the selected theme now and on every change. Returns a function that stops. */
export function syncTheme() {
  applyTheme();
  const scheme = window.matchMedia(DARK_SCHEME_QUERY);
  scheme.addEventListener('change', applyTheme);
  const unsubscribe = useDevice.subscribe(applyTheme);
  return () => {
    scheme.removeEventListener('change', applyTheme);
    unsubscribe();
  };
}
