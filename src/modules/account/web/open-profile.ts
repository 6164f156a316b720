import { create } from 'zustand';
import { invalidateUser } from './session.ts';

/** `hasBeenOpened`: the code of the dialog is loaded. */
export const useProfile = create<{ open: boolean; hasBeenOpened: boolean }>()(() => ({
  open: false,
  hasBeenOpened: false,
}));

/** Shows the own profile, with the latest the server knows. */
export function openProfile() {
  useProfile.setState({ open: true, hasBeenOpened: true });
  void invalidateUser();
}
export const closeProfile = () => useProfile.setState({ open: false });
