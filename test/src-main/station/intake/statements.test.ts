/** How many statements a visit costs, from its first file to its approval. */
import Database from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchingIntake } from './intake-with.ts'

type Runnable = Record<'run' | 'get' | 'all', (...values: unknown[]) => unknown>

/** Counts what is executed from now on, by its text; transactions count nothing. */
function countStatements(): Map<string, number> {
  const counts = new Map<string, number>()
  const prepare = Database.prototype.prepare
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, text: string) {
    const statement = prepare.call(this, text) as unknown as Runnable
    for (const act of ['run', 'get', 'all'] as const) {
      const original = statement[act].bind(statement)
      statement[act] = (...values) => {
        if (!/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
        return original(...values)
      }
    }
    return statement as unknown as Database.Statement
  } as typeof prepare)
  onTestFinished(() => spy.mockRestore())
  return counts
}

it.for([6, 60])('a visit of %i images and one record', async (images) => {
  const counts = countStatements()
  const station = await watchingIntake()
  counts.clear()
  const names = Array.from({ length: images }, (_, at) => `v/501288_20261120_${at % 2 ? 'OD' : 'OS'}_${at}.png`)
  for (const name of names) await station.write(name)
  await station.write('v/case.json', JSON.stringify({ history_number: '501288' }))
  await station.see(...names, 'v/case.json')
  await station.quiet()
  const total = () => [...counts.values()].reduce((a, b) => a + b, 0)
  const closed = total()
  const [one] = station.open()
  const before = total()
  await station.approve(one?.id ?? '')
  console.log(images, closed, total() - before)
  if (images === 6) console.log([...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 60).map(([t, n]) => `${n}  ${t.replace(/\s+/g, ' ').slice(0, 150)}`).join('\n'))
  expect(1).toBe(1)
})
