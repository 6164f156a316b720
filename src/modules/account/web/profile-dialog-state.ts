import { create } from 'zustand';
import { refreshUserInBackground } from './session-store.ts';

/** `hasOpened`: the dialog was opened at least once, so its code is loaded. */
export const useProfileDialog = create<{ open: boolean; hasOpened: boolean }>()(() => ({
  open: false,
  hasOpened: false,
}));

export function openProfileDialog() {
  useProfileDialog.setState({ open: true, hasOpened: true });
  void refreshUserInBackground();
}
export const closeProfileDialog = () => useProfileDialog.setState({ open: false });
