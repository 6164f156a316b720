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

type Surface = { column: HTMLElement; store: ReaderStore; zoomTo: ZoomTo };
const zoomPercentOf = (store: ReaderStore) => store.getState().percent;

/** Two fingers. The column is scaled during the gesture and laid out once at its end. */
function trackPinch({ column, store, zoomTo }: Surface) {
  let pinch: { from: number; startDistance: number; at: { x: number; y: number } } | null = null;
  let scale = 1;
  return {
    isActive: () => pinch !== null,
    start(touches: Touch[]) {
      pinch = { from: zoomPercentOf(store), startDistance: touchDistance(touches), at: touchMidpoint(touches) };
      const { left, top } = column.getBoundingClientRect();
      column.style.transformOrigin = `${pinch.at.x - left}px ${pinch.at.y - top}px`;
    },
    move(touches: Touch[]) {
      if (!pinch || pinch.startDistance === 0) return false;
      scale = clampZoom((pinch.from * touchDistance(touches)) / pinch.startDistance) / pinch.from;
      column.style.transform = `scale(${scale})`;
      return true;
    },
    end() {
      if (!pinch) return;
      const { from, at } = pinch;
      column.style.transform = '';
      if (Math.abs(scale - 1) > 0.02) zoomTo(clampZoom(from * scale), { clientX: at.x, clientY: at.y });
      pinch = null;
      scale = 1;
    },
  };
}

/** Two taps at one place zoom in, and out again. */
function trackDoubleTap({ store, zoomTo }: Surface) {
  let lastTap = { time: 0, x: 0, y: 0 };
  return {
    reset() {
      lastTap = { time: 0, x: 0, y: 0 };
    },
    tap(event: TouchEvent) {
      const { x, y } = touchMidpoint([...event.changedTouches]);
      const isDoubleTap =
        event.timeStamp - lastTap.time < DOUBLE_TAP_MS && Math.hypot(x - lastTap.x, y - lastTap.y) < DOUBLE_TAP_PX;
      lastTap = { time: isDoubleTap ? 0 : event.timeStamp, x, y };
      if (!isDoubleTap) return;
      event.preventDefault();
      const isAuto = store.getState().zoom === 'auto';
      zoomTo(isAuto ? clampZoom(zoomPercentOf(store) * TAP_ZOOM) : 'auto', { clientX: x, clientY: y });
    },
  };
}

/** Zooms by touch until the returned function is called. */
function listenToTouches(target: HTMLElement, surface: Surface): () => void {
  const pinch = trackPinch(surface);
  const doubleTap = trackDoubleTap(surface);
  // A page may be replaced under a finger; touch events then go only to the original target.
  const touchedTargets = new Set<EventTarget>();
  const handledEvents = new WeakSet<Event>();
  const isUnhandled = (event: Event) => !handledEvents.has(event) && Boolean(handledEvents.add(event));
  const start = (event: TouchEvent) => {
    for (const { target } of event.changedTouches) {
      touchedTargets.add(target);
      addTouchListeners(target, handlers);
    }
    if (event.touches.length === 2) pinch.start([...event.touches]);
  };
  const handlers: TouchHandlers = {
    move(event) {
      if (event.touches.length !== 2 || !isUnhandled(event)) return;
      if (pinch.move([...event.touches])) event.preventDefault();
    },
    end(event) {
      if (!isUnhandled(event)) return;
      if (event.touches.length === 0) releaseTargets();
      if (pinch.isActive() && event.touches.length < 2) {
        pinch.end();
        doubleTap.reset();
      } else if (!pinch.isActive() && event.changedTouches.length === 1) doubleTap.tap(event);
    },
  };
  const releaseTargets = () => {
    for (const each of touchedTargets) removeTouchListeners(each, handlers);
    touchedTargets.clear();
  };
  target.addEventListener('touchstart', start, { passive: true });
  addTouchListeners(target, handlers);
  return () => {
    target.removeEventListener('touchstart', start);
    releaseTargets();
    removeTouchListeners(target, handlers);
  };
}

/** Zooms by pinch, double tap or Ctrl and wheel around the point below the pointer. */
export function useGestures(viewport: RefObject<HTMLDivElement | null>, onZoom: ZoomTo, store: ReaderStore) {
  // A re-render must not interrupt the gesture.
  const zoomTo = useEffectEvent(onZoom);
  useEffect(() => {
    const { current: target } = viewport;
    const column = target?.firstElementChild;
    if (!target || !(column instanceof HTMLElement)) return;
    const stopListening = listenToTouches(target, { column, store, zoomTo: (zoom, point) => zoomTo(zoom, point) });
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(clampZoom(zoomPercentOf(store) * Math.exp(-event.deltaY * WHEEL_SPEED)), event);
    };
    target.addEventListener('wheel', wheel, { passive: false });
    return () => {
      stopListening();
      target.removeEventListener('wheel', wheel);
    };
  }, [viewport, store]);
}
