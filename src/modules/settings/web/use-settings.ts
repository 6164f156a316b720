import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions } from '#platform/web/browser-storage.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { type PublicSettings, publicSettings } from '../settings.contract.ts';

/** Used before the settings are loaded. */
export const FALLBACK_SETTINGS: PublicSettings = fillZeroValues(publicSettings, {
  system: { sitename: '豆库', title: '豆库' },
});

/** The last loaded settings, used when the server does not answer. */
export const useSettingsStore = create<{ settings: PublicSettings | null }>()(
  persist((): { settings: PublicSettings | null } => ({ settings: null }), localStorageOptions('setting')),
);

export const SettingsContext = createContext<PublicSettings>(FALLBACK_SETTINGS);
export const useSettings = () => useContext(SettingsContext);
