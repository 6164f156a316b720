import { describe, expect, it } from 'vitest';
import { extensionAliasesOf, fileTypeOfExtension, storedExtensionCandidates } from './file-type.ts';

describe('fileTypeOfExtension', () => {
  it.each([
    ['pdf', 'pdf'],
    ...['doc', 'docx', 'rtf', 'wps', 'odt', 'dot', '.DOCX', '报告.wps'].map((name) => [name, 'word']),
    ...['ppt', 'pptx', 'pps', 'ppsx', 'dps', 'odp', 'pot', 'a.ppsx'].map((name) => [name, 'ppt']),
    ...['xls', 'xlsx', 'et', 'ods', 'csv', 'tsv', 'table.et'].map((name) => [name, 'excel']),
    ['txt', 'text'],
    ['readme.txt', 'text'],
    ['epub', 'epub'],
    ['mobi', 'mobi'],
    ['chm', 'chm'],
    ['umd', 'umd'],
    ['exe', 'other'],
    ['', 'other'],
    ['constructor', 'other'],
  ])('of %s is %s', (name, type) => {
    expect(fileTypeOfExtension(name)).toBe(type);
  });
});

describe('extension aliases', () => {
  it('map to the extensions under which the file may be stored', () => {
    expect(['xml', 'dotx', 'potx', 'pdf', 'constructor'].map(storedExtensionCandidates)).toEqual([
      ['doc', 'xls'],
      ['docx'],
      ['pptx'],
      ['pdf'],
      ['constructor'],
    ]);
  });

  it('are allowed only together with an extension they map to', () => {
    expect(extensionAliasesOf(['.doc', '.pptx', '.txt'])).toEqual(['.potx', '.xml']);
    expect(extensionAliasesOf(['.xls'])).toEqual(['.xml']);
    expect(extensionAliasesOf(['.pdf'])).toEqual([]);
  });
});
