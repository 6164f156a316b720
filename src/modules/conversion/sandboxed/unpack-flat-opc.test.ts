import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { flatOpc, flatOpcPart, toGbk } from '../markup.fixture.ts';
import { flatOpcZipMembers } from './unpack-flat-opc.ts';

const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const mainPart = (xml: string) => flatOpcPart('/word/document.xml', MAIN_TYPE, xml);

async function unpack(xml: string | Buffer): Promise<Record<string, string>> {
  const members: Record<string, string> = {};
  for await (const { name, body } of flatOpcZipMembers(Buffer.from(xml))) members[name] = body.toString();
  return members;
}

test('unpacking a flat OPC file returns its XML parts unchanged and its binary parts decoded', async () => {
  const xml = '<w:document xmlns:w="w"><!-- a --><w:t>甲 &amp; <![CDATA[<乙>]]></w:t></w:document>';
  const picture = `<pkg:part pkg:name="/word/media/image1.png" pkg:contentType="image/png" pkg:compression="store"><pkg:binaryData>${Buffer.from(
    'PNG bytes',
  )
    .toString('base64')
    .replace(/(.{4})/g, '$1\r\n')}</pkg:binaryData></pkg:part>`;
  const members = await unpack(flatOpc(mainPart(xml) + picture));
  expect(Object.keys(members)).toEqual(['[Content_Types].xml', 'word/document.xml', 'word/media/image1.png']);
  expect(members['word/document.xml']).toBe(
    xml.replace('<w:document', '<w:document xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"'),
  );
  expect(members['word/media/image1.png']).toBe('PNG bytes');
  expect(members['[Content_Types].xml']).toContain(
    `<Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/>`,
  );
});

test('unpacking a flat OPC file declares the namespaces that a part inherits from the package', async () => {
  const file = flatOpc(mainPart('<w:document xmlns:a="own"/>')).replace(
    '<pkg:package ',
    '<pkg:package xmlns:w="w" xmlns:a="a" ',
  );
  const { 'word/document.xml': xml } = await unpack(file);
  expect(xml).toMatch(/^<w:document xmlns:w="w" xmlns:pkg="[^"]*" xmlns:a="own"\/>$/);
});

test('unpacking a flat OPC file skips processing instructions and comments before the first element of a part', async () => {
  const prolog = `<?style <a> ?><!-- <b> ${'-'.repeat(5_000)}甲 --><?other x?>`;
  const { 'word/document.xml': xml } = await unpack(flatOpc(mainPart(`${prolog}<w:document xmlns:w="w"/>`)));
  expect(xml).toBe(
    `${prolog}<w:document xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage" xmlns:w="w"/>`,
  );
});

test('unpacking a flat OPC file keeps names and namespaces that are not ASCII', async () => {
  const picture =
    '<pkg:part pkg:name="/word/media/图一.png" pkg:contentType="image/png"><pkg:binaryData>UA==</pkg:binaryData></pkg:part>';
  const file = flatOpc(mainPart('<w:document/>') + picture).replace('<pkg:package ', '<pkg:package xmlns:a="甲" ');
  const members = await unpack(file);
  expect(members['word/media/图一.png']).toBe('P');
  expect(members['[Content_Types].xml']).toContain('PartName="/word/media/图一.png"');
  expect(members['word/document.xml']).toContain('xmlns:a="甲"');
});

test('unpacking a flat OPC file rejects a part name that is too long for an archive', async () => {
  const file = flatOpc(mainPart('<w:document/>') + flatOpcPart(`/word/${'图'.repeat(22_000)}.xml`, 'text/xml', '<x/>'));
  await expect(unpack(file)).rejects.toMatchObject({ reason: 'damaged' });
});

test.each([
  ['gb2312', toGbk],
  ['utf-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('unpacking a flat OPC file decodes its text by the declared encoding %s', async (encoding, encode) => {
  const file = flatOpc(mainPart('<w:document>中文</w:document>')).replace('encoding="UTF-8"', `encoding="${encoding}"`);
  const { 'word/document.xml': xml } = await unpack(encode(file));
  expect(xml).toContain('>中文<');
});

test.each(['/../../etc/passwd', '/word/../../x', '\\windows', '//x', '', '/[Content_Types].xml'])(
  'unpacking a flat OPC file leaves out a part with the name "%s"',
  async (name) => {
    const members = await unpack(flatOpc(mainPart('<w:document/>') + flatOpcPart(name, 'text/xml', '<forged/>')));
    expect(Object.keys(members)).toEqual(['[Content_Types].xml', 'word/document.xml']);
    expect(Object.values(members).join('')).not.toContain('forged');
  },
);

test('unpacking a flat OPC file of slides rejects it, because its content does not match its name', async () => {
  const type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml';
  await expect(unpack(flatOpc(flatOpcPart('/ppt/presentation.xml', type, '<p/>')))).rejects.toMatchObject({
    reason: 'mismatch',
  });
});

test('unpacking a flat OPC file rejects more than 10,000 parts and more than 30,000 levels', async () => {
  const parts = Array.from({ length: 10_001 }, (_, index) => flatOpcPart(`/word/${index}.xml`, MAIN_TYPE, '<x/>'));
  await expect(unpack(flatOpc(parts.join('')))).rejects.toMatchObject({ reason: 'bomb' });
  await expect(unpack(flatOpc(mainPart('<a>'.repeat(40_000))))).rejects.toMatchObject({ reason: 'nested' });
});
