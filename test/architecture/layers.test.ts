import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLANTED, PLANTED_ALONE } from './planted.ts'
import { buildHouse, findRefusals, type Found, type PlantedHouse } from './planted-house.ts'

const houses: PlantedHouse[] = []
let foundInEmptyHouse: readonly Found[]
let found: readonly Found[]

// One run of each tool over everything that is planted: they take a second to start and milliseconds for a file.
beforeAll(async () => {
  const [empty, full, other] = [
    await buildHouse([]),
    await buildHouse(PLANTED),
    await buildHouse(PLANTED_ALONE),
  ]
  houses.push(empty, full, other)
  foundInEmptyHouse = await findRefusals(empty.folder)
  found = [...(await findRefusals(full.folder)), ...(await findRefusals(other.folder))]
})
afterAll(() => Promise.all(houses.map((house) => house.remove())))

describe('the rules of the house', () => {
  it('allow every import that the house needs', () => {
    expect(foundInEmptyHouse).toEqual([])
  })

  const rows = [...PLANTED, ...PLANTED_ALONE].flatMap(({ file, refusedBy }) =>
    refusedBy.map((refusal) => ({ file, ...refusal })),
  )
  it.each(rows)('$by refuses ($rule): $file', ({ file, by, rule }) => {
    const refusals = found.filter((refusal) => refusal.file === file && refusal.by === by)
    expect(refusals.map((refusal) => refusal.rule)).toContain(rule)
  })

  it('are each proven by something planted', () => {
    const { forbidden }: { forbidden: readonly { name: string }[] } = createRequire(import.meta.url)(
      '../../.dependency-cruiser.cjs',
    )
    const proven = new Set(rows.filter(({ by }) => by === 'depcruise').map(({ rule }) => rule))
    expect(forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
  })
})
