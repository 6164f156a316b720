import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { fillZero } from '#platform/web/fill-zero.ts';
import { persisted } from '#platform/web/storage.ts';
import { type PublicSettings, publicSettings } from '../settings.contract.ts';

/** Used before the settings are loaded. */
export const FALLBACK_SETTINGS: PublicSettings = fillZero(publicSettings, {
  system: { sitename: '豆库', title: '豆库' },
});

/** The last loaded settings, used when the server does not answer. */
export const useSettingsStore = create<{ settings: PublicSettings | null }>()(
  persist((): { settings: PublicSettings | null } => ({ settings: null }), persisted('setting')),
);

export const SettingsContext = createContext<PublicSettings>(FALLBACK_SETTINGS);
export const useSettings = () => useContext(SettingsContext);
