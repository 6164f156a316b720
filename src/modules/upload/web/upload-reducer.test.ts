import { describe, expect, it } from 'vitest';
import { newUploadItem, type UploadItem } from './upload-item.ts';
import {
  reduceUploadItem,
  reduceUploads,
  type UploadEvent,
  type UploadList,
  type UploadStep,
} from './upload-reducer.ts';

const file = new File(['正文'], '游记.txt');
const row = (values: Partial<UploadItem> = {}): UploadItem => ({ ...newUploadItem(file, '0'), key: 'a', ...values });
const sameDocuments = [{ id: 9, title: '旧游记' }];

type RowCase = [string, Partial<UploadItem>, UploadStep, Partial<UploadItem>];
const interruptedAttempt = { state: 'failed', isSubmitted: true, error: '网络中断', uploadUrl: '/u' } as const;
const rowCases: RowCase[] = [
  [
    'an edited row has the new title and price',
    {},
    { type: 'edited', values: { title: '新', price: '3' } },
    { title: '新', price: '3' },
  ],
  [
    'a paused row waits again after it is resumed, without being submitted',
    { state: 'paused' },
    { type: 'resumed' },
    { state: 'waiting' },
  ],
  [
    'a row whose file was sent while it was paused is sent after it is resumed',
    { state: 'paused', attachmentId: 7 },
    { type: 'resumed' },
    { state: 'sent', attachmentId: 7 },
  ],
  [
    'a failed row waits again without its error after it is resumed',
    interruptedAttempt,
    { type: 'resumed' },
    { ...interruptedAttempt, state: 'waiting', error: '' },
  ],
  [
    'a rejected row that starts again loses its error and keeps its upload URL',
    { error: '格式不对', isRefused: true, progress: 0.7, uploadUrl: '/u' },
    { type: 'started' },
    { state: 'hashing', uploadUrl: '/u' },
  ],
  [
    'a hashing row shows the progress of hashing',
    { state: 'hashing' },
    { type: 'hashingProgressed', progress: 0.5 },
    { state: 'hashing', progress: 0.5 },
  ],
  [
    'a hashed row is sending after its first bytes',
    { state: 'hashing', progress: 1 },
    { type: 'sendingProgressed', progress: 0.1 },
    { state: 'sending', progress: 0.1 },
  ],
  [
    'a paused row ignores late progress of hashing',
    { state: 'paused', progress: 0.2 },
    { type: 'hashingProgressed', progress: 0.5 },
    { state: 'paused', progress: 0.2 },
  ],
  [
    'a paused row ignores late progress of sending',
    { state: 'paused', progress: 0.2 },
    { type: 'sendingProgressed', progress: 0.5 },
    { state: 'paused', progress: 0.2 },
  ],
  [
    'a sending row stores its upload URL',
    { state: 'sending', progress: 0.1 },
    { type: 'uploadUrlReceived', uploadUrl: '/u' },
    { state: 'sending', progress: 0.1, uploadUrl: '/u' },
  ],
  [
    'a sending row is sent when the server has its file',
    { state: 'sending', progress: 1 },
    { type: 'fileSent', attachmentId: 7, isInstant: true },
    { state: 'sent', progress: 1, attachmentId: 7, isInstant: true },
  ],
  [
    'a paused row stays paused when the server has its file',
    { state: 'paused' },
    { type: 'fileSent', attachmentId: 7, isInstant: false },
    { state: 'paused', attachmentId: 7 },
  ],
  [
    'a sent row is saving while its document is created',
    { state: 'sent' },
    { type: 'savingStarted' },
    { state: 'saving', progress: 1 },
  ],
  [
    'a saving row is done after its document was created',
    { state: 'saving', progress: 1 },
    { type: 'documentCreated', documentId: 5, same: sameDocuments },
    { state: 'done', progress: 1, documentId: 5, same: sameDocuments },
  ],
  [
    'an interrupted row fails and keeps its upload URL',
    { state: 'sending', progress: 0.4, uploadUrl: '/u' },
    { type: 'failed', failure: { error: '网络中断' } },
    { state: 'failed', progress: 0.4, uploadUrl: '/u', error: '网络中断' },
  ],
  [
    'a rejected row fails without its upload URL',
    { state: 'sending', uploadUrl: '/u' },
    { type: 'failed', failure: { error: '格式不对', isRefused: true, uploadUrl: '' } },
    { state: 'failed', error: '格式不对', isRefused: true },
  ],
  [
    'a row whose sent file has expired fails without its attachment',
    { state: 'saving', attachmentId: 7, uploadUrl: '/u' },
    { type: 'failed', failure: { error: '文件已过期', attachmentId: 0, uploadUrl: '' } },
    { state: 'failed', error: '文件已过期' },
  ],
  [
    'a sending row keeps its progress when it is paused',
    { state: 'sending', progress: 0.4 },
    { type: 'paused' },
    { state: 'paused', progress: 0.4 },
  ],
  [
    'a row that was resumed before its transfer stopped keeps waiting',
    { state: 'waiting', isSubmitted: true },
    { type: 'paused' },
    { state: 'waiting', isSubmitted: true },
  ],
];

it.each(rowCases)('%s', (_, values, step, expectedValues) => {
  expect(reduceUploadItem(row(values), step)).toEqual(row(expectedValues));
});

type ListCase = [string, Partial<UploadItem>[], UploadEvent, Partial<UploadItem>[]];
const [waitingRow, doneRow] = [{ key: 'a' }, { key: 'b', state: 'done' }] as const;
const listCases: ListCase[] = [
  ['appends added files', [waitingRow], { type: 'filesAdded', items: [row({ key: 'c' })] }, [waitingRow, { key: 'c' }]],
  [
    'changes only the row of the event',
    [
      { key: 'a', state: 'sending' },
      { key: 'b', state: 'sending' },
    ],
    { type: 'paused', key: 'b' },
    [
      { key: 'a', state: 'sending' },
      { key: 'b', state: 'paused' },
    ],
  ],
  ['ignores events of a removed row', [waitingRow], { type: 'sendingProgressed', key: 'x', progress: 1 }, [waitingRow]],
  [
    'sorts restored uploads among the others and keeps the state of existing rows',
    [{ key: 'b', state: 'sending' }],
    {
      type: 'restored',
      items: [row({ key: 'b' }), row({ key: 'a' })],
      finishedItems: [row({ key: 'c', state: 'done' })],
      categoryId: 0,
    },
    [{ key: 'a' }, { key: 'b', state: 'sending' }, { key: 'c', state: 'done' }],
  ],
  [
    'drops uploads that another page has claimed, except finished ones',
    [{ key: 'a', state: 'sending' }, doneRow, { key: 'c' }],
    { type: 'claimedByOtherPage', keys: ['a', 'b'] },
    [doneRow, { key: 'c' }],
  ],
  [
    'submits all rows that are not done, lets transfers go on and does not send rejected files again',
    [
      { key: 'a' },
      { key: 'b', state: 'paused' },
      { key: 'c', state: 'sending' },
      { key: 'f', state: 'sent', attachmentId: 7 },
      { key: 'd', state: 'failed', isRefused: true },
      { key: 'e', state: 'done' },
    ],
    { type: 'submitted' },
    [
      { key: 'a', isSubmitted: true },
      { key: 'b', isSubmitted: true },
      { key: 'c', state: 'sending', isSubmitted: true },
      { key: 'f', state: 'sent', attachmentId: 7, isSubmitted: true },
      { key: 'd', state: 'failed', isRefused: true, isSubmitted: true },
      { key: 'e', state: 'done' },
    ],
  ],
  [
    'retries interrupted uploads, but neither rejected nor paused ones, when the network is back',
    [
      { key: 'a', state: 'failed', isSubmitted: true },
      { key: 'b', state: 'failed', isSubmitted: true, isRefused: true },
      { key: 'c', state: 'paused', isSubmitted: true },
      { key: 'd', state: 'failed' },
    ],
    { type: 'networkRestored' },
    [
      { key: 'a', isSubmitted: true },
      { key: 'b', state: 'failed', isSubmitted: true, isRefused: true },
      { key: 'c', state: 'paused', isSubmitted: true },
      { key: 'd' },
    ],
  ],
  ['removes a row', [waitingRow, doneRow], { type: 'removed', key: 'a' }, [doneRow]],
  ['removes the finished rows', [waitingRow, doneRow], { type: 'finishedRemoved' }, [waitingRow]],
];

describe('the upload list', () => {
  const listOf = (rows: Partial<UploadItem>[]): UploadList => ({ items: rows.map(row), categoryId: 2 });

  it.each(listCases)('%s', (_, rows, event, expectedRows) => {
    expect(reduceUploads(listOf(rows), event)).toEqual(listOf(expectedRows));
  });

  it('selects the category of restored uploads only if none is selected', () => {
    const event: UploadEvent = { type: 'restored', items: [], finishedItems: [], categoryId: 3 };
    expect(reduceUploads({ items: [], categoryId: 0 }, event).categoryId).toBe(3);
    expect(reduceUploads({ items: [], categoryId: 2 }, event).categoryId).toBe(2);
    expect(reduceUploads(listOf([]), { type: 'categorySelected', categoryId: 5 }).categoryId).toBe(5);
  });
});
