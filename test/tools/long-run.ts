/** Is this `npm run test:long`, or a spec run by hand with TEST_RUN=long? Then nothing is left out. */
export const isLongRun = process.env['TEST_RUN'] === 'long'
