import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions } from '#platform/web/browser-storage.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { type PublicSettings, publicSettings } from '../settings.contract.ts';

/** When nothing is known yet: the site still has a name. */
export const NO_SETTINGS: PublicSettings = fillZeroValues(publicSettings, {
  system: { sitename: '豆库', title: '豆库' },
});

/** What this browser last knew of the site; used when the server cannot be asked. */
export const useSettingsStore = create<{ settings: PublicSettings | null }>()(
  persist((): { settings: PublicSettings | null } => ({ settings: null }), localStorageOptions('setting')),
);

export const SettingsContext = createContext<PublicSettings>(NO_SETTINGS);
export const useSettings = () => useContext(SettingsContext);
