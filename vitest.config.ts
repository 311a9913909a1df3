import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['./test/fixed-seed.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default', './scripts/closing-line.ts'],
  },
});
