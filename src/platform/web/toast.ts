import { create } from 'zustand';
import { failureTextOf } from './api.ts';

export type ToastKind = 'success' | 'error' | 'info';
export type Toast = { id: number; kind: ToastKind; text: string };

const DISPLAY_MS = 4000;
const MAX_VISIBLE_TOASTS = 3;
let nextId = 1;

export const useToasts = create<{ toasts: Toast[] }>()(() => ({ toasts: [] }));

export function dismissToast(id: number) {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

function showToast(kind: ToastKind, text: string) {
  const id = nextId++;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.slice(1 - MAX_VISIBLE_TOASTS), { id, kind, text }],
  }));
  setTimeout(dismissToast, DISPLAY_MS, id);
}

export const toast = {
  success: (text: string) => showToast('success', text),
  info: (text: string) => showToast('info', text),
  /** Shows the message of the error, otherwise the fallback. */
  failure: (error: unknown, fallback: string) => {
    const text = failureTextOf(error, fallback);
    if (text) showToast('error', text);
  },
};
