/** The age of an infant in months, from the birth date that its files state. */
import { expect, it } from 'vitest'
import { casesWith } from './cases-with.ts'

it.each([
  ['2025-05-20', 18, 1],
  ['2025-05-21', 17, 1],
  ['2024-11-21', 23, 1],
  ['2024-11-20', null, 2],
  ['2026-11-20', 0, 0],
  ['2026-10-31', 0, 0],
  ['2026-11-21', null, undefined],
  ['1961-03-04', null, 65],
  [undefined, null, undefined],
] as const)('born on %s it is %s months at the visit of 20 November 2026', async (born, months, years) => {
  const world = casesWith()
  await world.watch()
  await world.arrive('501288_20261120_OD.png')
  const record = { history_number: '501288', visit_date: '2026-11-20', birth_date: born }
  await world.arrive('501288_20261120.json', JSON.stringify(record))
  await world.quiet()
  const [one] = world.open()
  expect(one?.fields.age).toBe(years)
  expect(world.cases.proofOf(one?.id ?? '')?.ageMonths).toBe(months)
})

it('comes from the clinic\u2019s list, too', async () => {
  const listed = { fields: {}, files: [], eyes: {}, rejected: [], birthDate: '2025-05-20' }
  const world = casesWith({}, { peopleInPatientList: () => [listed] })
  await world.watch()
  await world.arrive('501288_20261120_OD.png')
  await world.quiet()
  expect(world.open().map(({ id }) => world.cases.proofOf(id)?.ageMonths)).toEqual([18])
})

it('is not shown if two birth dates are stated', async () => {
  const world = casesWith()
  await world.watch()
  for (const [eye, birth_date] of [
    ['OD', '2025-05-20'],
    ['OS', '2025-06-20'],
  ] as const) {
    await world.arrive(`501288_20261120_${eye}.png`)
    const record = { history_number: '501288', visit_date: '2026-11-20', birth_date, eye }
    await world.arrive(`501288_20261120_${eye}.json`, JSON.stringify(record))
  }
  await world.quiet()
  const months = world.open().map(({ id }) => world.cases.proofOf(id)?.ageMonths)
  expect(new Set(months)).toEqual(new Set([null]))
})
