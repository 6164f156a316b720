import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allSettings } from './settings.catalogue.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Files that only declare settings do not count as their users. */
const declaringFiles = /settings\/(?:settings\.(?:catalogue|contract)|public-settings)\.ts$/;
const isSource = (file: string) =>
  /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file) && !declaringFiles.test(file);
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .filter((text) => /settings/i.test(text));

test.each(allSettings.map(({ category, name }) => [category, name]))(
  'the setting %s.%s is read by the code',
  (category, name) => {
    // Public settings contain score.credit_name in the group system.
    const groups = category === 'score' ? ['score', 'system'] : [category];
    // The code composes the names of captcha settings from the purpose.
    const searchedText = name.replace(/^enable_captcha_\w+$/, 'enable_captcha_${');
    const isRead = sources.some(
      (text) =>
        groups.some((group) => new RegExp(`\\b${group}\\b`).test(text)) &&
        (searchedText === name ? new RegExp(`\\b${name}\\b`).test(text) : text.includes(searchedText)),
    );
    expect(isRead).toBe(true);
  },
);
