import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions } from '#platform/web/browser-storage.ts';

type ReaderPrefs = {
  /** Inverted page colors. */
  isInverted: boolean;
};

/** Stored per device. */
export const useReaderPrefs = create<ReaderPrefs>()(
  persist((): ReaderPrefs => ({ isInverted: false }), localStorageOptions('reader')),
);
