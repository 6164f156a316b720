import { afterAll, expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { conversionLimits } from './limits.ts';

const { ctx } = await testApp();
afterAll(() => setSetting(ctx, 'converter.timeout', '3'));

test('converter.timeout scales every limit of processor time and no other limit', async () => {
  const initial = await conversionLimits(ctx);
  expect(initial.office.cpuSeconds).toBe(180);
  expect(initial.read.cpuSeconds).toBe(180);
  expect(initial.render).toMatchObject({ cpuSeconds: 4_800, stallCpuSeconds: 60 });
  await setSetting(ctx, 'converter.timeout', '30');
  expect(await conversionLimits(ctx)).toEqual({
    office: { ...initial.office, cpuSeconds: 1_800 },
    read: { ...initial.read, cpuSeconds: 1_800 },
    render: { ...initial.render, cpuSeconds: 48_000, stallCpuSeconds: 600 },
    readWorkbook: { ...initial.readWorkbook, cpuSeconds: 1_800 },
    writePdf: { ...initial.writePdf, cpuSeconds: 48_000, stallCpuSeconds: 600 },
    writeOfd: { ...initial.writeOfd, cpuSeconds: 48_000, stallCpuSeconds: 600 },
    substitute: { ...initial.substitute, cpuSeconds: 200 },
    hiRes: { ...initial.hiRes, cpuSeconds: 1_200, stallCpuSeconds: 600 },
    unlock: { ...initial.unlock, cpuSeconds: 600 },
    recognize: { ...initial.recognize, cpuSeconds: 12_000, stallCpuSeconds: 1_200 },
  });
});
