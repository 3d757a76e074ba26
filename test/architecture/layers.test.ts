import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plantedCode } from './planted-code.ts'
import { plantedApart, plantedBeside, plantedImports } from './planted-imports.ts'
import { findRefusals, type Found } from './refusals.ts'
import { buildSkeleton, type Skeleton } from './skeleton.ts'

const planted = [...plantedImports, ...plantedCode, ...plantedApart]

const skeletons: Skeleton[] = []
let foundInEmptyHouse: readonly Found[]
let found: readonly Found[]

// One run of each tool over everything that is planted: they take a second to start and milliseconds for a file.
beforeAll(async () => {
  const house = await buildSkeleton()
  const houseApart = await buildSkeleton()
  skeletons.push(house, houseApart)
  foundInEmptyHouse = await findRefusals(house.folder)
  for (const { file, code } of [...plantedImports, ...plantedCode, ...plantedBeside])
    await house.plant(file, code)
  for (const { file, code } of plantedApart) await houseApart.plant(file, code)
  found = [...(await findRefusals(house.folder)), ...(await findRefusals(houseApart.folder))]
})
afterAll(() => Promise.all(skeletons.map((skeleton) => skeleton.remove())))

describe('the rules of the house', () => {
  it('allow every import that the house needs', () => {
    expect(foundInEmptyHouse).toEqual([])
  })

  const rows = planted.flatMap(({ what, file, refusedBy }) =>
    refusedBy.map((refusal) => ({ what, file, ...refusal })),
  )
  it.each(rows)('$by refuses ($rule): $what', ({ file, by, rule }) => {
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
