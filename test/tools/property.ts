/**
 * The one way to fast-check: how many examples a property is tried with, and from which seed they are drawn.
 *
 * `npm test` always draws the same, and a twentieth of the full number. `npm run test:long` draws the full number from
 * a seed that it prints. By hand: `TEST_RUN=long PROPERTY_SEED=7 npx vitest run FILE`, and `PROPERTY_SHARE=10` for ten
 * times the full number. `SHRINK=1` looks for the smallest example of a costly property, too.
 */
import fc from 'fast-check'
import { isLongRun } from './long-run.ts'

const FIXED_SEED = 20_261_120
const DEFAULT_SHARE = 1 / 20

const share = Number(process.env['PROPERTY_SHARE'] ?? (isLongRun ? 1 : DEFAULT_SHARE))

/** For inputs that are drawn without fast-check. */
export const propertySeed = Number(process.env['PROPERTY_SEED'] ?? FIXED_SEED)

/** How many of the full number of examples this run tries: at least one. */
export const runs = (full: number): number => Math.max(1, Math.ceil(full * share))

/** For properties of which each example takes long, so that shrinking one takes minutes. */
export const costly = { endOnFailure: process.env['SHRINK'] !== '1' }

// Properties that name no number take fast-check's 100: they take milliseconds.
fc.configureGlobal({ seed: propertySeed })

export { fc }
