import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fillZeroValues } from './fill-zero-values.ts';

const shape = z.object({
  id: z.int(),
  title: z.string(),
  enable: z.boolean(),
  seen_at: z.nullable(z.iso.datetime()),
  note: z.optional(z.string()),
  kind: z.enum(['text', 'image']),
  level: z.literal([3, 4]),
  size: z._default(z.int(), 10),
  tags: z.array(z.string()),
  owner: z.object({ name: z.string(), counts: z.object({ docs: z.int() }) }),
  children: z.array(z.object({ id: z.int(), title: z.string() })),
});

describe('fillZeroValues', () => {
  it('fills missing keys with the zero values of their types', () => {
    expect(fillZeroValues(shape, {})).toEqual({
      id: 0,
      title: '',
      enable: false,
      seen_at: null,
      kind: 'text',
      level: 3,
      size: 0,
      tags: [],
      owner: { name: '', counts: { docs: 0 } },
      children: [],
    });
  });
  it('leaves received values unchanged and fills missing keys at every depth', () => {
    const filledObject = fillZeroValues(shape, {
      id: 7,
      seen_at: '2026-01-01T00:00:00Z',
      note: 'n',
      owner: { name: '豆' },
      children: [{ id: 1 }, { title: '二' }],
    });
    expect(filledObject).toMatchObject({
      id: 7,
      seen_at: '2026-01-01T00:00:00Z',
      note: 'n',
      owner: { name: '豆', counts: { docs: 0 } },
      children: [
        { id: 1, title: '' },
        { id: 0, title: '二' },
      ],
    });
  });
  it('turns null lists and objects into empty ones', () => {
    expect(fillZeroValues(shape, { tags: null, owner: null, children: null })).toMatchObject({
      tags: [],
      owner: { name: '', counts: { docs: 0 } },
      children: [],
    });
    expect(fillZeroValues(shape, null)).toMatchObject({ id: 0 });
  });
  it('leaves keys that the schema does not declare', () => {
    expect(fillZeroValues(shape, { extra: 1 })).toMatchObject({ extra: 1 });
  });
});
