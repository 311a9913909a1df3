import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a test run's output with `N passed, N failed`. A file that failed without a failing test of its
 * own (it could not be loaded) and an error outside of all tests count as one failure each.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const own = states.filter((state) => state === 'failed').length;
      passed += states.filter((state) => state === 'passed').length;
      failed += own === 0 && module.state() === 'failed' ? 1 : own;
    }
    console.log(`${passed} passed, ${failed} failed`);
  }
}
