import { expect, it } from 'vitest';
import { deviceClass } from './device.ts';

it.each([
  [320, 'isMobile'],
  [767, 'isMobile'],
  [768, 'isPad'],
  [991, 'isPad'],
  [992, 'isPC'],
  [1920, 'isPC'],
])('deviceClass of a window of %i px sets only %s', (width, className) => {
  const device = deviceClass(width);
  const { isMobile, isPad, isPC } = device;
  expect(device.width).toBe(width);
  expect({ isMobile, isPad, isPC }).toEqual({
    isMobile: className === 'isMobile',
    isPad: className === 'isPad',
    isPC: className === 'isPC',
  });
});
