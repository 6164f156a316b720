import { create } from 'zustand';
import { isSessionEnd } from './api.ts';

export type ToastKind = 'success' | 'error' | 'info';
export type Toast = { id: number; kind: ToastKind; text: string };

const SHOWN_FOR = 4000;
const AT_MOST = 3;
let nextId = 1;

export const useToasts = create<{ toasts: Toast[] }>()(() => ({ toasts: [] }));

export function dismissToast(id: number) {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

function show(kind: ToastKind, text: string) {
  const id = nextId++;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.slice(1 - AT_MOST), { id, kind, text }],
  }));
  setTimeout(dismissToast, SHOWN_FOR, id);
}

export const toast = {
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  /** The message of the failure, else what the caller suggests. */
  failure: (error: unknown, otherwise: string) => {
    if (isSessionEnd(error)) return;
    show('error', (error instanceof Error && error.message) || otherwise);
  },
};
