import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import XLSX from '@e965/xlsx';
import officeCrypto from 'officecrypto-tool';
import { describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, corpusFolder, hasCorpus, waitForRendition } from './conversion.fixture.ts';
import {
  encryptWorkbookWithCryptoApi,
  encryptWorkbookWithRc4,
  obfuscateWorkbook,
} from './encrypted-workbook.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { makeWorkbook } from './workbook.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });

const DEFAULT_PASSWORD = 'VelvetSweatshop';
const sheets = [{ name: '表', rows: [['写保护的表格', '一']] }];
const xlsx = makeWorkbook('xlsx', sheets);
const xls = makeWorkbook('xls', sheets);

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  if (rendition.state === 'failed') return { ...rendition, plainText: '' };
  return {
    ...rendition,
    plainText: await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream),
  };
}

describe('a workbook encrypted with the default password of Excel', () => {
  test.each<[string, string, () => Buffer]>([
    ['agile', '只读.xlsx', () => officeCrypto.encrypt(xlsx, { password: DEFAULT_PASSWORD })],
    ['standard', '标准.xlsx', () => officeCrypto.encrypt(xlsx, { password: DEFAULT_PASSWORD, type: 'standard' })],
    ['RC4', '只读.xls', () => encryptWorkbookWithRc4(xls, DEFAULT_PASSWORD)],
    ['RC4 CryptoAPI', '只读二.xls', () => encryptWorkbookWithCryptoApi(xls, DEFAULT_PASSWORD)],
    ['XOR obfuscation', '只读三.xls', () => obfuscateWorkbook(xls)],
  ])('is converted when the encryption is %s', async (_kind, name, make) => {
    expect(await convert(name, make())).toMatchObject({
      state: 'ready',
      plainText: '写保护的表格\t一',
    });
  });
});

test.each<[string, () => Buffer]>([
  ['密码.xlsx', () => officeCrypto.encrypt(xlsx, { password: 'another' })],
  ['密码.xls', () => encryptWorkbookWithRc4(xls, 'another')],
  ['密码二.xls', () => encryptWorkbookWithCryptoApi(xls, 'another')],
])('a workbook encrypted with another password (%s) fails as encrypted', async (name, make) => {
  expect(await convert(name, make())).toMatchObject({ state: 'failed', reason: '文档已加密' });
});

test('slides with the token of encryption in the stream "Current User" fail as encrypted', async () => {
  const container = XLSX.CFB.utils.cfb_new();
  const user = Buffer.alloc(32);
  user.writeUInt32LE(0xf3d1c4df, 12);
  XLSX.CFB.utils.cfb_add(container, '/Current User', user);
  XLSX.CFB.utils.cfb_add(container, '/PowerPoint Document', Buffer.alloc(5_000, 7));
  const bytes: Buffer = XLSX.CFB.write(container, { type: 'buffer' });
  expect(await convert('加密.ppt', bytes)).toMatchObject({ state: 'failed', reason: '文档已加密' });
});

test.runIf(hasCorpus)('encrypted slides of the corpus fail as encrypted', async () => {
  const name = 'clusterfuzz-testcase-minimized-POIHSLFFuzzer-5231088823566336.ppt';
  const bytes = await readFile(path.join(corpusFolder, 'ppt', name));
  expect(await convert('语料.ppt', bytes)).toMatchObject({ state: 'failed', reason: '文档已加密' });
});
