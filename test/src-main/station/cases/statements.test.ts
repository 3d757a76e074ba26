/** How many statements a visit costs, from its first file to its approval: what one image asks is asked for all at once. */
import Database from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchingCases } from './cases-with.ts'

type Executed = Record<'run' | 'get' | 'all', (...values: readonly unknown[]) => unknown>

/** How many statements were executed since; the begin and the end of a transaction count as none. */
function countStatements(): () => number {
  let count = 0
  const prepare = Reflect.get(Database.prototype, 'prepare')
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function prepared(
    this: Database.Database,
    text: string,
  ) {
    const statement = prepare.call(this, text) as unknown as Executed
    for (const act of ['run', 'get', 'all'] as const) {
      const execute = statement[act].bind(statement)
      statement[act] = (...values) => {
        count += 1
        return execute(...values)
      }
    }
    return statement as unknown as Database.Statement
  })
  onTestFinished(() => spy.mockRestore())
  return () => count
}

it.each([
  { images: 6, most: 150 },
  { images: 60, most: 700 },
])('a visit of $images images and one record asks few statements until it is approved', async (visit) => {
  const executed = countStatements()
  const station = await watchingCases()
  const names = Array.from(
    { length: visit.images },
    (_, at) => `v/501288_20261120_${at % 2 === 0 ? 'OD' : 'OS'}_${at}.png`,
  )
  for (const name of names) await station.write(name)
  await station.write('v/case.json', JSON.stringify({ history_number: '501288' }))
  const before = executed()
  await station.see(...names, 'v/case.json')
  await station.quiet()
  const [one] = station.open()
  expect(one).toMatchObject({ state: 'review', fields: { history_number: '501288' } })
  expect(one?.images).toHaveLength(visit.images)
  await station.approve(one?.id ?? '')
  expect(executed() - before).toBeLessThan(visit.most)
  expect(executed() - before).toBeGreaterThan(visit.images)
})
