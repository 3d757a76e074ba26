/** The cost of a data file grows with its records, and no commit of it is long. */
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchingCases } from './cases-with.ts'

/** How many statements run while `act` does. */
async function statementsDuring(act: () => Promise<void>): Promise<number> {
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Database.Statement
  memory.close()
  const spies = (['run', 'get', 'all'] as const).map((name) => vi.spyOn(prototype, name))
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  await act()
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

const visit = (index: number): object => ({
  patient_id: `P${20_001 + index}`,
  visit_date: '2026-11-20',
  file: `P${20_001 + index}_1.png`,
  eye: 'OD',
})
const visits = (count: number): readonly object[] => Array.from({ length: count }, (_, index) => visit(index))

const FORMS: readonly (readonly [string, string, (count: number) => string])[] = [
  ['a JSON list', 'day.json', (count) => JSON.stringify(visits(count))],
  [
    'an XML list',
    'day.xml',
    (count) =>
      `<visits>${visits(count)
        .map(
          (one) =>
            `<visit>${Object.entries(one)
              .map(([name, value]) => `<${name}>${String(value)}</${name}>`)
              .join('')}</visit>`,
        )
        .join('')}</visits>`,
  ],
  [
    'a table',
    'day.csv',
    (count) =>
      [
        'patient_id;visit_date;file;eye',
        ...visits(count).map((one) => Object.values(one).join(';')),
        '',
      ].join('\n'),
  ],
]

describe.each(FORMS)('%s', (_what, name, textOf) => {
  it('costs each of its records the same, however many it has, also when it is written again', async () => {
    const costOf = async (count: number): Promise<readonly number[]> => {
      const station = await watchingCases()
      await station.write('P20001_1.png')
      await station.see('P20001_1.png')
      const read = async (text: string): Promise<number> => {
        await station.write(name, text)
        return (await statementsDuring(() => station.see(name))) / count
      }
      return [await read(textOf(count)), await read(textOf(count).replaceAll('2026-11-20', '2026-11-19'))]
    }
    const [few, many] = [await costOf(100), await costOf(400)]
    for (const [index, cost] of many.entries()) expect(cost).toBeLessThan((few[index] ?? 0) * 1.2)
  })
})
