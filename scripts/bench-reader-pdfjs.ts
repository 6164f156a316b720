import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

/** The baseline. Not a dependency of the product, so it is installed for each run. */
const PDFJS_VERSION = '5.6.205';
const RANGE_BYTES = 64 * 1024;

const html = `<!doctype html><canvas></canvas><script type="module">
  import { getDocument, GlobalWorkerOptions } from '/code/pdf.min.mjs';
  GlobalWorkerOptions.workerSrc = '/code/pdf.worker.min.mjs';
  const options = { url: '/book.pdf', rangeChunkSize: ${RANGE_BYTES} };
  const book = await getDocument({ ...options, disableAutoFetch: true, disableStream: true }).promise;
  const page = await book.getPage(1);
  const viewport = page.getViewport({ scale: 1 });
  const canvas = document.querySelector('canvas');
  Object.assign(canvas, { width: viewport.width, height: viewport.height });
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
  document.title = 'pages ' + book.numPages;
</script>`;

async function installPdfjs(folder: string) {
  await writeFile(path.join(folder, 'package.json'), '{}');
  const args = ['install', '--no-save', '--no-audit', '--omit=optional', `pdfjs-dist@${PDFJS_VERSION}`];
  const child = spawn('npm', args, { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`pdfjs-dist ${PDFJS_VERSION} could not be installed`);
}

/** Bytes until pdf.js, which loads the file by range requests, has rendered the first page. */
export async function measurePdfjsBytes(browser: Browser, pdf: Buffer, folder: string) {
  await installPdfjs(folder);
  const byteCounts = { code: 0, ranges: 0, requests: 0 };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(html);
    if (pathname.startsWith('/code/')) {
      const file = path.join(folder, 'node_modules/pdfjs-dist/build', path.basename(pathname));
      const body = gzipSync(await readFile(file));
      byteCounts.code += body.length;
      response.setHeader('content-type', 'text/javascript').setHeader('content-encoding', 'gzip');
      return response.end(body);
    }
    if (pathname !== '/book.pdf') return response.writeHead(404).end();
    response.setHeader('accept-ranges', 'bytes').setHeader('content-type', 'application/pdf');
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    // pdf.js aborts its first request after the headers.
    if (from === undefined) return response.writeHead(200, { 'content-length': pdf.length }).flushHeaders();
    const part = pdf.subarray(Number(from), to ? Number(to) + 1 : pdf.length);
    byteCounts.ranges += part.length;
    byteCounts.requests += 1;
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${pdf.length}`;
    return response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => document.title.startsWith('pages '), null, {
      timeout: 60_000,
    });
    return { ...byteCounts, pages: Number((await page.title()).slice(6)) };
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
