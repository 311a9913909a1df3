import fc from 'fast-check';

/** The same samples in every run; another seed, for a search, by TOOLWRIGHT_TEST_SEED. */
fc.configureGlobal({ seed: Number(process.env['TOOLWRIGHT_TEST_SEED'] ?? 20_261_201) });
