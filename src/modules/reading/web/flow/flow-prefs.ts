import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions } from '#platform/web/browser-storage.ts';

export const MIN_FONT_SIZE = 14;
export const MAX_FONT_SIZE = 32;
export const DEFAULT_FONT_SIZE = 18;

export const leadings = { 1.6: '紧凑', 1.9: '适中', 2.2: '宽松' } as const;
/** Line width in ems. */
export const widths = { 28: '窄', 38: '适中', 52: '宽' } as const;
/** Color schemes; `site` follows the site theme. */
export const tones = { site: '跟随', light: '白纸', sepia: '米黄', dark: '深色' } as const;

export type FlowPrefs = {
  size: number;
  leading: keyof typeof leadings;
  width: keyof typeof widths;
  tone: keyof typeof tones;
};
const defaultPrefs: FlowPrefs = { size: DEFAULT_FONT_SIZE, leading: 1.9, width: 38, tone: 'site' };

/** Stored per device. */
export const useFlowPrefs = create<FlowPrefs>()(
  persist((): FlowPrefs => defaultPrefs, localStorageOptions('reader-text')),
);

export const setFlowFontSize = (size: number) =>
  useFlowPrefs.setState({ size: Math.max(MIN_FONT_SIZE, Math.min(MAX_FONT_SIZE, Math.round(size))) });
export const resetFlowPrefs = () => useFlowPrefs.setState(defaultPrefs);
