import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allSettings } from './settings.catalogue.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** What only lists, checks and passes settings on does not act upon them. */
const passedOn = /settings\/(?:settings\.(?:catalogue|contract)|public-settings)\.ts$/;
const isSource = (file: string) =>
  /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file) && !passedOn.test(file);
const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .filter((text) => /settings/i.test(text));

test.each(allSettings.map(({ category, name }) => [category, name]))(
  'the setting %s.%s does something',
  (category, name) => {
    // The name of the credit is given out among the settings of the system.
    const groups = category === 'score' ? ['score', 'system'] : [category];
    // Those of the captcha are read by the name of what it guards.
    const written = name.replace(/^enable_captcha_\w+$/, 'enable_captcha_${');
    const isRead = readers.some(
      (text) =>
        groups.some((group) => new RegExp(`\\b${group}\\b`).test(text)) &&
        (written === name ? new RegExp(`\\b${name}\\b`).test(text) : text.includes(written)),
    );
    expect(isRead).toBe(true);
  },
);
