import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { persisted } from '#platform/web/storage.ts';

type ReaderPrefs = {
  /** Light letters on dark pages. */
  isInverted: boolean;
};

/** How somebody likes to read, on this device. */
export const useReaderPrefs = create<ReaderPrefs>()(
  persist((): ReaderPrefs => ({ isInverted: false }), persisted('reader')),
);
