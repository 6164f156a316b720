import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxLengthOf } from './max-length.ts';
import { emptyObject, requiredText, text } from './shapes.ts';

it('maxLengthOf returns the length limit of a field, also when the field is optional or trimmed', () => {
  const api = endpoint({
    method: 'POST',
    path: '/thing',
    access: 'public',
    summary: '测试',
    input: z.object({ name: requiredText(20, '请输入'), note: z.optional(text(255)), size: z.int() }),
    output: emptyObject,
  });
  expect(maxLengthOf(api, 'name')).toBe(20);
  expect(maxLengthOf(api, 'note')).toBe(255);
  expect(maxLengthOf(api, 'size')).toBeUndefined();
});
