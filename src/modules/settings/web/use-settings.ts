import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { fillZero } from '#platform/web/fill-zero.ts';
import { persisted } from '#platform/web/storage.ts';
import { type PublicSettings, publicSettings } from '../settings.contract.ts';

/** When nothing is known yet: the site still has a name. */
export const FALLBACK_SETTINGS: PublicSettings = fillZero(publicSettings, {
  system: { sitename: '豆库', title: '豆库' },
});

/** What this browser last knew of the site; used when the server cannot be asked. */
export const useSettingsStore = create<{ settings: PublicSettings | null }>()(
  persist((): { settings: PublicSettings | null } => ({ settings: null }), persisted('setting')),
);

export const SettingsContext = createContext<PublicSettings>(FALLBACK_SETTINGS);
export const useSettings = () => useContext(SettingsContext);
