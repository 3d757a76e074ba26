import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openLayoutTables, type LayoutTable } from './layout-tables.ts'

/** What version 0.1 made of the table. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/layouts-0.1.json', import.meta.url), 'utf8'),
) as readonly LayoutTable[]

/** The station settles files in seconds; a busy machine takes its time to draw and to decode them. */
const WITHIN = { timeout: 90_000, interval: 250 }

it('makes the same groups, fields and eyes of every layout as version 0.1', async () => {
  const tables = await openLayoutTables()
  onTestFinished(() => tables.close())
  await expect.poll(() => tables.read(), WITHIN).toEqual(recorded)
}, 240_000)
