import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { answerUnparsableRequest } from './answer-unparsable-request.ts';

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('first bytes');
});
server.on('clientError', answerUnparsableRequest);
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

async function exchange(bytes: string, thenBytes?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(bytes);
  let receivedText = '';
  socket.on('data', (text: string) => {
    if (receivedText === '' && thenBytes) socket.write(thenBytes);
    receivedText += text;
  });
  await once(socket, 'close');
  return receivedText;
}

test('answerUnparsableRequest answers bytes that are not HTTP with 400 and the JSON error body', async () => {
  const answer = await exchange('no request at all\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'http.badRequest' });
});

test('answerUnparsableRequest writes nothing when a response on the connection has already started', async () => {
  const answer = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'no request at all\r\n\r\n');
  expect(answer).toMatch(/first bytes$/);
});
