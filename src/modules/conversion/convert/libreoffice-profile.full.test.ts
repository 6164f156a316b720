import { afterEach, expect, test, vi } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { prepareOfficeProfile } from './libreoffice-profile.ts';
import { calibrateSlices, sliceSeconds } from './time-slice.ts';

const DEFAULT_EMPTY_DOCUMENT_SECONDS = 2.5;
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;
const { ctx } = await testApp();
const firstSlice = () => sliceSeconds({ level: 0, format: 'docx', isReadable: false });

afterEach(() => {
  vi.restoreAllMocks();
  calibrateSlices(DEFAULT_EMPTY_DOCUMENT_SECONDS);
});

test.runIf(hasOffice)(
  'preparing the LibreOffice profile scales the first slice by the processor time of the empty document',
  async () => {
    calibrateSlices(1_000);
    await prepareOfficeProfile(ctx, new AbortController().signal);
    expect(firstSlice()).toBeLessThan(1_000);
    // The template exists now; a later start of the site measures again.
    vi.spyOn(Workload.prototype, 'cpuSeconds', 'get').mockReturnValue(20);
    await prepareOfficeProfile(ctx, new AbortController().signal);
    expect(firstSlice()).toBe(60);
  },
);

test.runIf(hasOffice)(
  'a LibreOffice that was stopped during the preparation does not change the first slice',
  async () => {
    calibrateSlices(6);
    await prepareOfficeProfile(ctx, AbortSignal.abort());
    expect(firstSlice()).toBe(18);
  },
);
