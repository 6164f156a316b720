import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { dismissToast, type ToastKind, useToasts } from './toast.ts';

const iconByKind: Record<ToastKind, { icon: typeof Info; tone: string }> = {
  success: { icon: CircleCheck, tone: 'text-bean' },
  error: { icon: CircleAlert, tone: 'text-red' },
  info: { icon: Info, tone: 'text-blue' },
};

/** Toasts: bottom centre on phones, above a bar at the bottom; top right on desktop. */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div
      data-toaster=""
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-6 z-70 flex flex-col items-center gap-2 max-md:in-[body:has([data-bottom-bar])]:bottom-20 md:inset-x-auto md:top-20 md:right-6 md:bottom-auto md:items-end"
    >
      {toasts.map(({ id, kind, text }) => {
        const { icon: Icon, tone } = iconByKind[kind];
        return (
          <div
            key={id}
            data-toast={kind}
            className="pointer-events-auto flex w-full max-w-96 items-start gap-3 rounded-md border border-line bg-surface py-2.5 pr-1.5 pl-4 shadow-float transition-[opacity,translate] starting:translate-y-2 starting:opacity-0 md:w-auto md:min-w-64"
          >
            <Icon aria-hidden="true" className={`mt-1 size-4.5 shrink-0 ${tone}`} />
            <p className="min-w-0 flex-1 text-14">{text}</p>
            <button
              type="button"
              aria-label="关闭提示"
              onClick={() => dismissToast(id)}
              className="-my-1 grid size-8 shrink-0 place-items-center rounded-sm text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </div>
        );
      })}
    </div>
  );
}
