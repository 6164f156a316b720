import { describe, expect, it } from 'vitest';
import { extensionAliasesOf, storedExtensionCandidates } from './extension-aliases.ts';
import { groupExtensions } from './extension-groups.ts';
import { fileTypeOfExtension } from './file-type.ts';

describe('fileTypeOfExtension', () => {
  it.each([
    ['pdf', 'pdf'],
    ['发票.OFD', 'ofd'],
    ...['doc', 'docx', 'docm', 'rtf', 'wps', 'odt', 'dot', 'dotm', 'wpt', 'ott', 'fodt', '.DOCX', '报告.wps'].map(
      (name) => [name, 'word'],
    ),
    ...['ppt', 'pptx', 'pptm', 'pps', 'ppsx', 'ppsm', 'dps', 'dpt', 'odp', 'otp', 'fodp', 'pot', 'potm', 'a.ppsx'].map(
      (name) => [name, 'ppt'],
    ),
    ...['xls', 'xlsx', 'xlsm', 'xlsb', 'xltx', 'xlt', 'et', 'ett', 'ods', 'ots', 'fods', 'csv', 'tsv', 'table.et'].map(
      (name) => [name, 'excel'],
    ),
    ['txt', 'text'],
    ['readme.txt', 'text'],
    ['epub', 'epub'],
    ['mobi', 'mobi'],
    ['chm', 'chm'],
    ['umd', 'umd'],
    ['djvu', 'djvu'],
    ['djv', 'djvu'],
    ['xps', 'xps'],
    ['oxps', 'xps'],
    ...['cbz', 'cbr', 'cb7'].map((name) => [name, 'comic']),
    ...['jpg', 'jpeg', 'png', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'heic', 'heif', 'IMG_1.HEIC'].map((name) => [
      name,
      'image',
    ]),
    ['exe', 'other'],
    ['', 'other'],
    ['constructor', 'other'],
  ])('of %s is %s', (name, type) => {
    expect(fileTypeOfExtension(name)).toBe(type);
  });
});

describe('extension aliases', () => {
  it('map to the extensions under which the file may be stored', () => {
    expect(['xml', 'dotx', 'pdf', 'constructor'].map(storedExtensionCandidates)).toEqual([
      ['doc', 'xls'],
      ['dotx'],
      ['pdf'],
      ['constructor'],
    ]);
  });

  it('are allowed only together with an extension they map to', () => {
    expect(extensionAliasesOf(['.doc', '.pptx', '.txt'])).toEqual(['.xml']);
    expect(extensionAliasesOf(['.xls'])).toEqual(['.xml']);
    expect(extensionAliasesOf(['.pdf'])).toEqual([]);
  });
});

describe('groupExtensions', () => {
  it('groups extensions in their order and leaves out unsupported ones', () => {
    expect(groupExtensions(['.pdf', '.docx', '.epub', '.exe', '.docm', '.mobi'])).toEqual([
      { name: 'PDF', extensions: ['.pdf'] },
      { name: '文字文档', extensions: ['.docx', '.docm'] },
      { name: '电子书', extensions: ['.epub', '.mobi'] },
    ]);
  });
});
