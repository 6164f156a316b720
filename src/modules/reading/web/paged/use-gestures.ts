import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { ReaderStore } from '../reader-store.ts';
import { clampZoom, type Zoom } from './zoom.ts';

export const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 24;
const WHEEL_SPEED = 0.01;
const TAP_ZOOM = 2.2;

type ZoomTo = (zoom: Zoom, point: { clientX: number; clientY: number }) => void;

const touchDistance = ([a, b]: Touch[]) => (a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0);
const touchMidpoint = ([a, b]: Touch[]) => ({
  x: ((a?.clientX ?? 0) + (b?.clientX ?? a?.clientX ?? 0)) / 2,
  y: ((a?.clientY ?? 0) + (b?.clientY ?? a?.clientY ?? 0)) / 2,
});

type TouchHandlers = Record<'move' | 'end', (event: TouchEvent) => void>;
const listenersOf = ({ move, end }: TouchHandlers) =>
  [
    ['touchmove', move],
    ['touchend', end],
    ['touchcancel', end],
  ] as [string, EventListener][];
const addTouchListeners = (target: EventTarget, handlers: TouchHandlers) => {
  for (const [name, listener] of listenersOf(handlers)) target.addEventListener(name, listener, { passive: false });
};
const removeTouchListeners = (target: EventTarget, handlers: TouchHandlers) => {
  for (const [name, listener] of listenersOf(handlers)) target.removeEventListener(name, listener);
};

/** Zooms by pinch, double tap or Ctrl and wheel around the point below the pointer. */
export function useGestures(viewport: RefObject<HTMLDivElement | null>, onZoom: ZoomTo, store: ReaderStore) {
  // A re-render must not interrupt the gesture.
  const zoomTo = useEffectEvent(onZoom);
  useEffect(() => {
    const { current: target } = viewport;
    const column = target?.firstElementChild;
    if (!target || !(column instanceof HTMLElement)) return;
    const percent = () => store.getState().percent;
    const isAuto = () => store.getState().zoom === 'auto';

    let pinch: { from: number; startDistance: number; at: { x: number; y: number } } | null = null;
    let scale = 1;
    let tap = { time: 0, x: 0, y: 0 };
    // A page may be replaced under a finger; touch events then go only to the original target.
    const touchedTargets = new Set<EventTarget>();
    const handledEvents = new WeakSet<Event>();
    const isUnhandled = (event: Event) => !handledEvents.has(event) && Boolean(handledEvents.add(event));
    const start = (event: TouchEvent) => {
      for (const { target } of event.changedTouches) {
        touchedTargets.add(target);
        addTouchListeners(target, { move, end });
      }
      const touches = [...event.touches];
      if (touches.length !== 2) return;
      pinch = { from: percent(), startDistance: touchDistance(touches), at: touchMidpoint(touches) };
      const { left, top } = column.getBoundingClientRect();
      column.style.transformOrigin = `${pinch.at.x - left}px ${pinch.at.y - top}px`;
    };
    const move = (event: TouchEvent) => {
      if (!pinch || event.touches.length !== 2 || pinch.startDistance === 0 || !isUnhandled(event)) return;
      event.preventDefault();
      scale = clampZoom((pinch.from * touchDistance([...event.touches])) / pinch.startDistance) / pinch.from;
      // Scales the column during the gesture and lays it out once at the end.
      column.style.transform = `scale(${scale})`;
    };
    const end = (event: TouchEvent) => {
      if (!isUnhandled(event)) return;
      if (event.touches.length === 0) releaseTargets();
      if (pinch && event.touches.length < 2) {
        const { from, at } = pinch;
        column.style.transform = '';
        if (Math.abs(scale - 1) > 0.02) zoomTo(clampZoom(from * scale), { clientX: at.x, clientY: at.y });
        pinch = null;
        scale = 1;
        tap = { time: 0, x: 0, y: 0 };
      } else if (!pinch && event.changedTouches.length === 1) onTap(event);
    };
    const releaseTargets = () => {
      for (const each of touchedTargets) removeTouchListeners(each, { move, end });
      touchedTargets.clear();
    };
    const onTap = (event: TouchEvent) => {
      const { x, y } = touchMidpoint([...event.changedTouches]);
      const isDoubleTap =
        event.timeStamp - tap.time < DOUBLE_TAP_MS && Math.hypot(x - tap.x, y - tap.y) < DOUBLE_TAP_PX;
      tap = { time: isDoubleTap ? 0 : event.timeStamp, x, y };
      if (!isDoubleTap) return;
      event.preventDefault();
      zoomTo(isAuto() ? clampZoom(percent() * TAP_ZOOM) : 'auto', { clientX: x, clientY: y });
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const next = percent() * Math.exp(-event.deltaY * WHEEL_SPEED);
      zoomTo(clampZoom(next), event);
    };
    target.addEventListener('touchstart', start, { passive: true });
    addTouchListeners(target, { move, end });
    target.addEventListener('wheel', wheel, { passive: false });
    return () => {
      target.removeEventListener('touchstart', start);
      releaseTargets();
      removeTouchListeners(target, { move, end });
      target.removeEventListener('wheel', wheel);
    };
  }, [viewport, store]);
}
