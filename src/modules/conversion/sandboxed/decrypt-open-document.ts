import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { DomUtils } from 'htmlparser2';
import type { ZipMember } from '#platform/server/storage/zip-writer.ts';
import { openZip, type Zip } from './flow/zip-reader.ts';
import { RejectedFileError } from './rejection-reasons.ts';
import { writeZipFile } from './write-zip-file.ts';
import { findAttributeValue, findElementsByLocalName, parseXml } from './xml-elements.ts';

const MANIFEST = 'META-INF/manifest.xml';
const MAX_PART_BYTES = 200 * 1024 * 1024;
const MAX_ITERATIONS = 5_000_000;
const AES_BLOCK_BYTES = 16;
/** The checksum of a part covers its first bytes before the encryption. */
const CHECKSUM_BYTES = 1024;

/** How one part of an OpenDocument file is encrypted, after section 3.4 of ODF 1.2 part 3. */
type PartEncryption = {
  algorithm: string;
  initializationVector: Buffer;
  salt: Buffer;
  iterations: number;
  keyBytes: number;
  derivation: string;
  passwordHash: 'sha1' | 'sha256';
  checksum: Buffer;
  checksumHash: 'sha1' | 'sha256';
};

/** Writes a copy without the encryption. Supports AES in CBC mode, which LibreOffice used from version 3.5 to 24.2. */
export async function decryptOpenDocument(file: string, target: string, password: string): Promise<void> {
  const zip = await openZip(file);
  try {
    const manifest = (await zip.read(MANIFEST, MAX_PART_BYTES))?.toString('utf8') ?? '';
    const encryptions = readEncryptions(manifest);
    if (encryptions.size === 0) throw new RejectedFileError('unsupportedEncryption');
    await writeZipFile(target, decryptedMembers(zip, manifest, encryptions, password));
  } finally {
    zip.close();
  }
}

async function* decryptedMembers(
  zip: Zip,
  manifest: string,
  encryptions: Map<string, PartEncryption>,
  password: string,
): AsyncGenerator<ZipMember> {
  for (const name of zip.names) {
    const encryption = encryptions.get(name);
    const body = await zip.read(name, MAX_PART_BYTES);
    if (!body) continue;
    if (name === MANIFEST) yield { name, body: withoutEncryptionData(manifest) };
    // Readers recognize the file by this part, which must be the first one and not compressed.
    else if (name === 'mimetype') yield { name, body, isStored: true };
    else yield { name, body: encryption ? decryptPart(body, encryption, password) : body };
  }
}

const withoutEncryptionData = (manifest: string) =>
  manifest.replace(/<(\w+:)?encryption-data\b[\s\S]*?<\/(\w+:)?encryption-data\s*>/g, '');

function readEncryptions(manifest: string): Map<string, PartEncryption> {
  const encryptions = new Map<string, PartEncryption>();
  for (const entry of findElementsByLocalName(parseXml(Buffer.from(manifest)), 'file-entry')) {
    const [data] = findElementsByLocalName(entry.children, 'encryption-data');
    if (data) encryptions.set(findAttributeValue(entry.attribs, 'full-path'), readPartEncryption(data));
  }
  return encryptions;
}

type Element = ReturnType<typeof findElementsByLocalName>[number];

function readPartEncryption(data: Element): PartEncryption {
  const readAttribute = (elementName: string, attribute: string) => {
    const [element] = findElementsByLocalName(DomUtils.getChildren(data), elementName);
    return element ? findAttributeValue(element.attribs, attribute) : '';
  };
  const base64 = (elementName: string, attribute: string) =>
    Buffer.from(readAttribute(elementName, attribute), 'base64');
  return {
    algorithm: readAttribute('algorithm', 'algorithm-name'),
    initializationVector: base64('algorithm', 'initialisation-vector'),
    salt: base64('key-derivation', 'salt'),
    iterations: Number(readAttribute('key-derivation', 'iteration-count')),
    keyBytes: Number(readAttribute('key-derivation', 'key-size')),
    derivation: readAttribute('key-derivation', 'key-derivation-name'),
    passwordHash: readAttribute('start-key-generation', 'start-key-generation-name').includes('sha256')
      ? 'sha256'
      : 'sha1',
    checksum: Buffer.from(findAttributeValue(data.attribs, 'checksum'), 'base64'),
    checksumHash: /sha256/i.test(findAttributeValue(data.attribs, 'checksum-type')) ? 'sha256' : 'sha1',
  };
}

function isSupported({ algorithm, derivation, iterations, keyBytes, initializationVector }: PartEncryption): boolean {
  return (
    /aes(128|192|256)-cbc$/.test(algorithm) &&
    [16, 24, 32].includes(keyBytes) &&
    initializationVector.length === AES_BLOCK_BYTES &&
    derivation.toLowerCase().includes('pbkdf2') &&
    iterations >= 1 &&
    iterations <= MAX_ITERATIONS
  );
}

function decryptPart(body: Buffer, encryption: PartEncryption, password: string): Buffer {
  if (!isSupported(encryption)) throw new RejectedFileError('unsupportedEncryption');
  if (body.length === 0 || body.length % AES_BLOCK_BYTES !== 0) throw new RejectedFileError('damaged');
  const { initializationVector, salt, iterations, keyBytes, passwordHash } = encryption;
  const startKey = createHash(passwordHash).update(password, 'utf8').digest();
  const key = pbkdf2Sync(startKey, salt, iterations, keyBytes, 'sha1');
  const decipher = createDecipheriv(`aes-${keyBytes * 8}-cbc`, key, initializationVector).setAutoPadding(false);
  const paddedBytes = Buffer.concat([decipher.update(body), decipher.final()]);
  // The last byte is the number of padding bytes; the others may have any value.
  const compressedBytes = paddedBytes.subarray(0, paddedBytes.length - (paddedBytes.at(-1) ?? 0));
  const checksum = createHash(encryption.checksumHash).update(compressedBytes.subarray(0, CHECKSUM_BYTES)).digest();
  if (!checksum.equals(encryption.checksum)) throw new RejectedFileError('wrongPassword');
  try {
    return inflateRawSync(compressedBytes, { maxOutputLength: MAX_PART_BYTES });
  } catch (error) {
    throw new RejectedFileError('damaged', String(error));
  }
}
