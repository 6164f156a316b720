// Writes .br and .gz beside every text asset of the build, so that the server never compresses them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT_FILE = /\.(js|css|svg|json|txt|html)$/;
const MIN_BYTES = 1024;

/** @param {string} folder */
export function compressAssets(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !TEXT_FILE.test(entry.name)) continue;
    const content = readFileSync(file);
    if (content.length < MIN_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
