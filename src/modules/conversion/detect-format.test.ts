import { expect, test } from 'vitest';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { detectFormat, documentExtension, storedExtension } from './detect-format.ts';
import { flatOpc, flatOpenDocument, spreadsheetMl, wordMl } from './markup.fixture.ts';

const detect = (name: string, content: string | Buffer) => {
  const bytes = Buffer.from(content);
  const source = {
    size: bytes.length,
    read: async (start: number, length: number) => bytes.subarray(start, start + length),
  };
  return detectFormat(source, documentExtension(name));
};

const zipOf = (name: string) => writeZip([{ name, body: 'a' }]);
const openDocumentZip = (kind: string) =>
  writeZip([{ name: 'mimetype', body: `application/vnd.oasis.opendocument.${kind}`, isStored: true }]);

test.each([
  ['Word 2003 XML', wordMl('甲'), 'wordml', 'doc'],
  ['a flat OPC document', flatOpc(''), 'flatopc', 'doc'],
  ['a flat OpenDocument text', flatOpenDocument('text', ''), 'fodt', 'doc'],
  ['Excel 2003 XML', spreadsheetMl(), 'spreadsheetml', 'xls'],
  ['a flat OpenDocument workbook', flatOpenDocument('spreadsheet', ''), 'fods', 'xls'],
  ['a web page', '<html><body>甲</body></html>', 'html', 'doc'],
] as const)(
  'a .xml file with %s has the format and the stored extension of its content',
  async (_, text, format, extension) => {
    expect(await detect('报表.XML', text)).toBe(format);
    expect(storedExtension('xml', format)).toBe(extension);
  },
);

test.each([
  ...['fodt', 'docm', 'ott'].map((extension) => [extension, flatOpenDocument('text', ''), 'fodt']),
  ['fods', flatOpenDocument('spreadsheet', ''), 'fods'],
  ['ots', flatOpenDocument('spreadsheet-template', ''), 'fods'],
  ['fodp', flatOpenDocument('presentation', ''), 'fodp'],
  ...['docm', 'dotx', 'dotm'].map((extension) => [extension, zipOf('word/document.xml'), 'docx']),
  ...['pptm', 'potx', 'potm', 'ppsm'].map((extension) => [extension, zipOf('ppt/presentation.xml'), 'pptx']),
  ...['xlsm', 'xltx', 'xltm'].map((extension) => [extension, zipOf('xl/workbook.xml'), 'xlsx']),
  ['xlsb', zipOf('xl/workbook.bin'), 'xlsb'],
  ['xlsx', zipOf('xl/workbook.bin'), 'xlsb'],
  ['ott', openDocumentZip('text-template'), 'odt'],
  ['ots', openDocumentZip('spreadsheet-template'), 'ods'],
  ['otp', openDocumentZip('presentation-template'), 'odp'],
  ['md', '<h1 align="center">项目</h1>', 'markdown'],
  ['markdown', '# 标题', 'markdown'],
  ['html', '<article>文</article>', 'html'],
  ['htm', '<!DOCTYPE html><p>文</p>', 'html'],
  ['mht', 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n', 'html'],
  ['eml', 'MIME-Version: 1.0\nFrom: a@example.com\nContent-Type: multipart/related; boundary="b"\n\n', 'eml'],
  ['eml', '\ufeffReceived: from x\n by y\nSubject: 主题\n\n正文', 'eml'],
  ['fb2', '<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">', 'fb2'],
  ...['azw3', 'azw', 'prc'].map((extension) => [extension, `${' '.repeat(60)}BOOKMOBI`, 'mobi']),
  ['xlt', 'a\tb', 'tsv'],
  ['ett', 'a,b', 'csv'],
] as [extension: string, content: string | Buffer, format: string][])(
  'a .%s file is detected by its content',
  async (extension, content, format) => {
    expect(await detect(`模板.${extension}`, content)).toBe(format);
  },
);

test.each([
  ['data.xml', '<?xml version="1.0"?><data/>', '文件扩展名是 .xml，内容却是纯文本'],
  ['书.xml', '%PDF-1.7', '文件扩展名是 .xml，内容却是 PDF'],
  ['模板.dotx', '%PDF-1.7', '文件扩展名是 .dotx，内容却是 PDF'],
  ['笔记.md', '%PDF-1.7', '文件扩展名是 .md，内容却是 PDF'],
  ['网页.html', '没有标签的文字', '文件扩展名是 .html，内容却是纯文本'],
  ['邮件.eml', '# 标题', '文件扩展名是 .eml，内容却是纯文本'],
  ['书.fb2', '<html><body>甲</body></html>', '文件扩展名是 .fb2，内容却是网页'],
  ['宏.docm', zipOf('xl/workbook.bin'), '文件扩展名是 .docm，内容却是 Excel 二进制工作簿'],
  ['公文.doc', spreadsheetMl(), '文件扩展名是 .doc，内容却是 Excel 2003 XML'],
])('detectFormat rejects %s with a message that names its extension', async (name, text, message) => {
  await expect(detect(name, text)).rejects.toThrow(message);
});

/** Bytes at the beginning of a file; each character is one byte. */
const start = (text: string) => Buffer.from(text.padEnd(40, '\0'), 'latin1');

test.each([
  ['照片.jpg', start('\xff\xd8\xff\xe0'), 'jpeg'],
  ['照片.jpeg', start('\x89PNG\r\n\x1a\n'), 'png'],
  ['截图.PNG', start('RIFF\x10\0\0\0WEBPVP8 '), 'webp'],
  ['动画.gif', start('GIF89a'), 'gif'],
  ['传真.tif', start('II*\0'), 'tiff'],
  ['传真.tiff', start('MM\0*'), 'tiff'],
  ['手机.heic', start('\0\0\0\x18ftypheic'), 'heic'],
  ['手机.heif', start('\0\0\0\x18ftypmif1'), 'heic'],
  ['画.bmp', start('BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'), 'bmp'],
  ['漫画.cbz', writeZip([{ name: '1.jpg', body: '' }]), 'cbz'],
  ['书.djvu', start('AT&TFORM\0\0\x1f\0DJVMDIRM'), 'djvu'],
  ['页.djv', start('AT&TFORM\0\0\x1f\0DJVUINFO'), 'djvu'],
  ['账单.xps', writeZip([{ name: 'Documents/1/Pages/1.fpage', body: '' }]), 'xps'],
  ['账单.oxps', writeZip([{ name: 'Documents/1/Pages/1.fpage/[0].last.piece', body: '' }]), 'xps'],
  ['漫画.cbr', start('Rar!\x1a\x07\x01\0'), 'cbr'],
  ['漫画.cbr', writeZip([{ name: '1.jpg', body: '' }]), 'cbz'],
  ['漫画.cb7', start('7z\xbc\xaf\x27\x1c'), 'cb7'],
])('the file %s has the format of its bytes', async (name, content, format) => {
  expect(await detect(name, content)).toBe(format);
});

test.each([
  ['假的.png', '%PDF-1.7', '文件扩展名是 .png，内容却是 PDF'],
  ['合同.docx', start('Rar!\x1a\x07\x01\0'), '文件扩展名是 .docx，内容却是 RAR 压缩包'],
  ['合同.pdf', writeZip([{ name: '1.jpg', body: '' }]), '文件扩展名是 .pdf，内容却是 ZIP 压缩包'],
  ['合同.docx', writeZip([{ name: 'Documents/1/Pages/1.fpage', body: '' }]), '文件扩展名是 .docx，内容却是 XPS'],
  ['书.pdf', start('AT&TFORM\0\0\x1f\0DJVMDIRM'), '文件扩展名是 .pdf，内容却是 DjVu'],
  ['漫画.cbz', '%PDF-1.7', '文件扩展名是 .cbz，内容却是 PDF'],
  ['笔记.jpg', 'plain text', '文件扩展名是 .jpg，内容却是纯文本'],
  ['合同.pdf', start('\xff\xd8\xff\xe0'), '文件扩展名是 .pdf，内容却是 JPEG 图片'],
  ['合同.docx', start('II*\0'), '文件扩展名是 .docx，内容却是 TIFF 图片'],
])('detectFormat rejects an image under another extension, or the reverse: %s', async (name, content, message) => {
  await expect(detect(name, content)).rejects.toThrow(message);
});

test('storedExtension returns the extension of a file that is no alias', () => {
  expect(storedExtension('wps', 'doc')).toBe('wps');
  expect(storedExtension('dotx', 'docx')).toBe('dotx');
});
