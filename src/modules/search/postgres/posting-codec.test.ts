import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockOf,
  findWord,
  LISTS,
  type Lists,
  OWN_ROW,
  readBlock,
  readLevels,
  readLists,
  writeParts,
} from './posting-codec.ts';

const SLOTS = 2_000;
const list = fc
  .uniqueArray(fc.nat(SLOTS - 1), { maxLength: 800 })
  .map((slots) => slots.sort((one, other) => one - other));
const lists = fc.tuple(list, list, list, list).map(([any, ...rest]) => [
  // Whatever stands in a special place stands somewhere.
  [...new Set([...any, ...rest.flat()])].sort((one, other) => one - other),
  ...rest,
]);
const words = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), lists), {
    selector: ([key]) => key,
    maxLength: 40,
  })
  .map((all) => all.sort(([one], [other]) => one - other));

test('what is written of words is what is read, whatever they are', () => {
  fc.assert(
    fc.property(words, fc.constantFrom(1, 4, 256), (all, blocks) => {
      const shape = { slots: SLOTS, blocks };
      const rows = new Map([...writeParts(all, shape)].map(({ part, data }) => [part, data]));
      const width = 2 ** 32 / blocks;
      for (const [key, wanted] of all) {
        const block = rows.get(blockOf(key, blocks));
        const at = block && findWord(block, blockOf(key, blocks) * width, key);
        const data = at === -1 ? rows.get(OWN_ROW + key) : block;
        if (!data || at === null || at === undefined) throw new Error(`word ${key} is not there`);
        expect(readLists(data, SLOTS, Math.max(0, at))).toEqual(wanted);
        const levels = new Uint8Array(SLOTS);
        readLevels(data, SLOTS, Math.max(0, at), levels);
        for (let slot = 0; slot < SLOTS; slot += 97) {
          const places = wanted.map((each: number[]) => each.includes(slot));
          expect(levels[slot]).toBe(places.lastIndexOf(true) + 1);
        }
      }
      const read = [...rows]
        .filter(([part]) => part < OWN_ROW)
        .sort(([one], [other]) => one - other);
      const keys = read.flatMap(([part, data]) =>
        [...readBlock(data, part * width, SLOTS)].map(({ key }) => key),
      );
      expect(keys).toEqual(all.map(([key]) => key));
    }),
    { numRuns: 60 },
  );
});

test('a word that is not there is not found', () => {
  const one: Lists = Array.from({ length: LISTS }, () => [1]);
  const [row] = [...writeParts([[500, one]], { slots: 8, blocks: 1 })];
  expect(row && findWord(row.data, 0, 499)).toBeNull();
  expect(row && findWord(row.data, 0, 501)).toBeNull();
});
