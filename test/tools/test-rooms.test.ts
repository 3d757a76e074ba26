import { globSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { quickRooms, slowRooms, testFiles } from '../../tools/test-rooms.ts'

it('every test file is in exactly one room', () => {
  const rooms = [...Object.values(quickRooms), ...Object.values(slowRooms)].map(testFiles)
  const files = globSync('test/**/*.test.*', { cwd: resolve(import.meta.dirname, '../..') })
  expect(files.length).toBeGreaterThan(0)
  const counted = files.map((file) => ({
    file,
    roomCount: rooms.filter((patterns) => patterns.some((pattern) => matchesGlob(file, pattern))).length,
  }))
  expect(counted.filter(({ roomCount }) => roomCount !== 1)).toEqual([])
})
