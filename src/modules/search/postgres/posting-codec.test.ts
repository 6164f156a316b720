import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '#testing/test-tier.ts';
import {
  blockNumberOfKey,
  emptyPostingLists,
  encodeBlocks,
  findKeyInBlock,
  forEachPosting,
  iterateBlockKeys,
  LONG_LIST_ROW,
} from './posting-codec.ts';

const SLOTS = 2_000;
const list = fc.uniqueArray(fc.nat(SLOTS - 1), { maxLength: 800 }).map((slots) => slots.sort((a, b) => a - b));
const lists = fc.tuple(list, list, list, list).map(([firstList, ...otherLists]) => [
  // A word in a specific field is also anywhere.
  [...new Set([...firstList, ...otherLists.flat()])].sort((a, b) => a - b),
  ...otherLists,
]);
const words = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), lists), {
    selector: ([key]) => key,
    maxLength: 40,
  })
  .map((entries) => entries.sort(([a], [b]) => a - b));

test('posting lists of random words are read back exactly as written', () => {
  fc.assert(
    fc.property(words, fc.constantFrom(1, 4, 256), (allWords, blocks) => {
      const shape = { slots: SLOTS, blocks };
      const rows = new Map([...encodeBlocks(allWords, shape)].map(({ part, data }) => [part, data]));
      const width = 2 ** 32 / blocks;
      for (const [key, expectedLists] of allWords) {
        const block = rows.get(blockNumberOfKey(key, blocks));
        const at = block && findKeyInBlock(block, blockNumberOfKey(key, blocks) * width, key);
        const data = at === -1 ? rows.get(LONG_LIST_ROW + key) : block;
        if (!data || at === null || at === undefined) throw new Error(`word ${key} is missing`);
        const lists = emptyPostingLists();
        forEachPosting(data, { slots: SLOTS, at: Math.max(0, at) }, (slot, field) => {
          lists[field]?.push(slot);
        });
        expect(lists).toEqual(expectedLists);
      }
      const blockRows = [...rows].filter(([part]) => part < LONG_LIST_ROW).sort(([a], [b]) => a - b);
      const keys = blockRows.flatMap(([part, data]) => [...iterateBlockKeys(data, part * width)].map(({ key }) => key));
      expect(keys).toEqual(allWords.map(([key]) => key));
    }),
    propertyRuns({ quick: 20, full: 600 }),
  );
});

test('findKeyInBlock returns null for a word that is not in the block', () => {
  const singleSlotLists = emptyPostingLists().map(() => [1]);
  const [row] = [...encodeBlocks([[500, singleSlotLists]], { slots: 8, blocks: 1 })];
  expect(row && findKeyInBlock(row.data, 0, 499)).toBeNull();
  expect(row && findKeyInBlock(row.data, 0, 501)).toBeNull();
});
