import { defineConfig } from 'vitest/config';

/** Only for `npm run test:s3`, which starts the S3 server that STORAGE_URL then names. */
export default defineConfig({
  test: {
    include: ['src/platform/server/storage/s3-storage.test.ts'],
    hookTimeout: 60_000,
    provide: { storageUrl: process.env.STORAGE_URL ?? '' },
  },
});
