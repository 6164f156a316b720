import { expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

const { app, ctx } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);

test('a find in a text of a thousand pages takes at most fifteen times the processor time of a plain scan', async () => {
  const text = '豆库是一座开放的在线文库，读者在这里上传文档，按词检索，逐页阅读，不必等待。\n'.repeat(30_000);
  const long = await owner.publish(Buffer.from(text), '.txt');
  const wd = encodeURIComponent('按词检索');
  const url = `/api/v1/document/find?id=${long}&wd=${wd}`;
  const durations: number[] = [];
  const scanDurations: number[] = [];
  for (let round = 0; round < 8; round++) {
    const startedAt = processCpuMs();
    expect((await app.inject({ method: 'GET', url })).json().total).toBe(30_000);
    durations.push(processCpuMs() - startedAt);
    const scanStartedAt = processCpuMs();
    expect(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/按词检索/g),
    ).toHaveLength(30_000);
    scanDurations.push(processCpuMs() - scanStartedAt);
  }
  // The minima, because the first rounds compile the code. About 100 ms and a ratio of 8 on an idle machine.
  expect(Math.min(...durations)).toBeLessThan(Math.min(...scanDurations) * 15);
});
