import { expect, test } from 'vitest';
import { makeWorkbook } from '#modules/conversion/workbook.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp({ runJobs: true, conversions: 'real' });
const publisher = await newPublisher(ctx);

test.each(['xls', 'xlsx'] as const)(
  'a converted workbook (%s) with hidden sheets, rows and columns is downloaded byte for byte as uploaded',
  async (format) => {
    const book = makeWorkbook(format, [
      {
        name: '报价',
        rows: [
          ['公开', '成本'],
          ['一百', '五十'],
          ['底价', '四十'],
        ],
        hiddenRows: [2],
        hiddenColumns: [1],
      },
      { name: '名单', rows: [['机密']], hidden: 1 },
    ]);
    const id = await publisher.publish(book, `.${format}`);
    const { headers } = publisher;
    const pages = await app.inject({ url: `/api/v1/document/pages?id=${id}`, headers });
    expect(pages.json()).toMatchObject({ pages: 1, page: [{ rows: [['公开'], ['一百']] }] });

    const link = await app.inject({ url: `/api/v1/document/download?id=${id}`, headers });
    const download = await app.inject(link.json().url);
    expect(download.statusCode).toBe(200);
    expect(download.rawPayload.equals(book)).toBe(true);
  },
);
