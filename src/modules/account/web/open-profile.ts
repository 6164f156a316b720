import { create } from 'zustand';
import { invalidateUser } from './session.ts';

/** `wanted`: opened at least once, so its code is loaded. */
export const useProfile = create<{ open: boolean; wanted: boolean }>()(() => ({
  open: false,
  wanted: false,
}));

/** Shows the own profile, with the latest the server knows. */
export function openProfile() {
  useProfile.setState({ open: true, wanted: true });
  void invalidateUser();
}
export const closeProfile = () => useProfile.setState({ open: false });
