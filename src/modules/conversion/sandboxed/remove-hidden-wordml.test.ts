import { expect, test } from 'vitest';
import { removeHiddenWordMl } from './remove-hidden-wordml.ts';

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const annotation = (type: string, content: string) =>
  `<aml:annotation aml:id="1" w:type="${type}"><aml:content>${content}</aml:content></aml:annotation>`;
const wordDocument = (body: string, styles = '') =>
  `<?xml version="1.0" encoding="GBK"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="w" xmlns:aml="aml"><w:styles>${styles}</w:styles><w:body>${body}</w:body></w:wordDocument>`;
const textOf = (xml: string) => removeHiddenWordMl(xml).replace(/<[^>]*>/g, '');

test.each([
  ['keeps ordinary text with its entities', run('甲 &amp; 乙'), '甲 &amp; 乙'],
  ['removes a hidden run', run('甲') + run('密', '<w:vanish/>') + run('乙'), '甲乙'],
  ['removes a run whose property says that it is hidden', run('密', '<w:vanish w:val="on"/>'), ''],
  ['keeps a run whose property says that it is not hidden', run('甲', '<w:vanish w:val="off"/>'), '甲'],
  ['removes deleted text', run('甲') + annotation('Word.Deletion', run('密')), '甲'],
  ['keeps inserted text', run('甲') + annotation('Word.Insertion', run('乙')), '甲乙'],
  ['removes hidden text within inserted text', annotation('Word.Insertion', run('密', '<w:vanish/>')), ''],
  ['removes comments', run('甲') + annotation('Word.Comment', run('密')), '甲'],
])('removeHiddenWordMl %s', (_, body, expected) => {
  expect(textOf(wordDocument(`<w:p>${body}</w:p>`))).toBe(expected);
});

test('removeHiddenWordMl removes runs and paragraphs whose style is hidden', () => {
  const style = '<w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>';
  const paragraph = '<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr><w:r><w:t>密</w:t></w:r></w:p>';
  const body = `<w:p>${run('甲')}${run('密', '<w:rStyle w:val="Secret"/>')}</w:p>${paragraph}`;
  expect(textOf(wordDocument(body, style))).toBe('甲');
});

test('removeHiddenWordMl declares UTF-8 and keeps processing instructions', () => {
  expect(removeHiddenWordMl(wordDocument(''))).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?><\?mso-application progid="Word\.Document"\?><w:wordDocument/,
  );
});
