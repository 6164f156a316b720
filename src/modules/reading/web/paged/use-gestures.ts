import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { StoreApi } from 'zustand';
import { clampZoom, type ReaderState, type Zoom } from '../reader-store.ts';

export const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 24;
const WHEEL_SPEED = 0.01;
const TAP_ZOOM = 2.2;

type ZoomTo = (zoom: Zoom, clientX: number, clientY: number) => void;

const distance = ([one, other]: Touch[]) =>
  one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
const middle = ([one, other]: Touch[]) => ({
  x: ((one?.clientX ?? 0) + (other?.clientX ?? one?.clientX ?? 0)) / 2,
  y: ((one?.clientY ?? 0) + (other?.clientY ?? one?.clientY ?? 0)) / 2,
});

type Fingers = Record<'move' | 'end', (event: TouchEvent) => void>;
const eventsOf = ({ move, end }: Fingers) =>
  [
    ['touchmove', move],
    ['touchend', end],
    ['touchcancel', end],
  ] as [string, EventListener][];
const listen = (target: EventTarget, fingers: Fingers) => {
  for (const [name, heard] of eventsOf(fingers)) target.addEventListener(name, heard, { passive: false });
};
const unlisten = (target: EventTarget, fingers: Fingers) => {
  for (const [name, heard] of eventsOf(fingers)) target.removeEventListener(name, heard);
};

/** Two fingers, two taps, or the wheel with Ctrl: the point below them stays where it is. */
export function useGestures(desk: RefObject<HTMLDivElement | null>, onZoom: ZoomTo, store: StoreApi<ReaderState>) {
  // A page that is drawn anew meanwhile must not interrupt the fingers.
  const zoomTo = useEffectEvent(onZoom);
  useEffect(() => {
    const { current: target } = desk;
    const column = target?.firstElementChild;
    if (!target || !(column instanceof HTMLElement)) return;
    const percent = () => store.getState().percent;
    const isAuto = () => store.getState().zoom === 'auto';

    let pinch: { from: number; begun: number; at: { x: number; y: number } } | null = null;
    let scale = 1;
    let tap = { time: 0, x: 0, y: 0 };
    // What a finger came down on may be drawn anew below it; from then on it alone is told of the finger.
    const held = new Set<EventTarget>();
    const told = new WeakSet<Event>();
    const isNew = (event: Event) => !told.has(event) && Boolean(told.add(event));
    const start = (event: TouchEvent) => {
      for (const { target } of event.changedTouches) {
        held.add(target);
        listen(target, { move, end });
      }
      const touches = [...event.touches];
      if (touches.length !== 2) return;
      pinch = { from: percent(), begun: distance(touches), at: middle(touches) };
      const { left, top } = column.getBoundingClientRect();
      column.style.transformOrigin = `${pinch.at.x - left}px ${pinch.at.y - top}px`;
    };
    const move = (event: TouchEvent) => {
      if (!pinch || event.touches.length !== 2 || pinch.begun === 0 || !isNew(event)) return;
      event.preventDefault();
      scale = clampZoom((pinch.from * distance([...event.touches])) / pinch.begun) / pinch.from;
      // Only stretched while the fingers move; set anew once they leave.
      column.style.transform = `scale(${scale})`;
    };
    const end = (event: TouchEvent) => {
      if (!isNew(event)) return;
      if (event.touches.length === 0) letGo();
      if (pinch && event.touches.length < 2) {
        const { from, at } = pinch;
        column.style.transform = '';
        if (Math.abs(scale - 1) > 0.02) zoomTo(clampZoom(from * scale), at.x, at.y);
        pinch = null;
        scale = 1;
        tap = { time: 0, x: 0, y: 0 };
      } else if (!pinch && event.changedTouches.length === 1) tapped(event);
    };
    const letGo = () => {
      for (const each of held) unlisten(each, { move, end });
      held.clear();
    };
    const tapped = (event: TouchEvent) => {
      const { x, y } = middle([...event.changedTouches]);
      const isSecond = event.timeStamp - tap.time < DOUBLE_TAP_MS && Math.hypot(x - tap.x, y - tap.y) < DOUBLE_TAP_PX;
      tap = { time: isSecond ? 0 : event.timeStamp, x, y };
      if (!isSecond) return;
      event.preventDefault();
      zoomTo(isAuto() ? clampZoom(percent() * TAP_ZOOM) : 'auto', x, y);
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const next = percent() * Math.exp(-event.deltaY * WHEEL_SPEED);
      zoomTo(clampZoom(next), event.clientX, event.clientY);
    };
    target.addEventListener('touchstart', start, { passive: true });
    listen(target, { move, end });
    target.addEventListener('wheel', wheel, { passive: false });
    return () => {
      target.removeEventListener('touchstart', start);
      letGo();
      unlisten(target, { move, end });
      target.removeEventListener('wheel', wheel);
    };
  }, [desk, store]);
}
